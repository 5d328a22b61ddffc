import { containersOf, processOf, render } from './support/render';
import { findTools } from './support/tools';

const tools = findTools();
const helm = tools?.helm ?? '';

(tools === undefined ? describe.skip : describe)('several instances in the Helm chart', () => {
  it('of accounts use an S3 store, without a volume and with a way to it', async () => {
    const objects = await render(helm, 'redis-cluster-s3.yaml');
    const ofAccounts = (kind: string) =>
      objects.find((object) => object.kind === kind && processOf(object) === 'accounts')?.spec;

    expect(ofAccounts('Deployment')?.replicas).toBe(2);
    expect(objects.filter(({ kind }) => kind === 'PersistentVolumeClaim')).toEqual([]);
    expect(JSON.stringify(ofAccounts('NetworkPolicy')?.egress)).toContain('443');
  });

  it.each([
    ['4 to 8', '0.2500'],
    ['3', '0.3334'],
    ['2', '0.5000'],
  ])('of the gateway, %s, share the limits by their least number', async (instances, value) => {
    const [least = '', most = least] = instances.split(' to ');
    const more = ['--set', `gateway.replicas=${least}`, '--set', `gateway.maxReplicas=${most}`];
    const objects = await render(helm, 'everything.yaml', more);
    const gateway = containersOf(objects, 'Deployment').find(
      ({ container }) => container.name === 'gateway',
    );

    expect(gateway?.container.env).toContainEqual({ name: 'RATE_LIMIT_SHARE', value });
  });

  it('or a single one never block the drain of a machine', async () => {
    const budgets = (await render(helm, 'sandbox.yaml'))
      .filter(({ kind }) => kind === 'PodDisruptionBudget')
      .map(({ spec }) => [spec.maxUnavailable, spec.unhealthyPodEvictionPolicy]);
    expect(budgets).toHaveLength(5);
    expect(new Set(budgets.map(String))).toEqual(new Set(['1,AlwaysAllow']));
  });

  it('of accounts are refused while it keeps images in a folder', async () => {
    const set = ['--set', 'accounts.replicas=2'];
    await expect(render(helm, 'production.yaml', set)).rejects.toThrow('accounts.replicas');
  });
});
