import { containersOf, processOf, render } from './support/render';
import { findTools } from './support/tools';

const tools = findTools();
const helm = tools?.helm ?? '';

describe.skipIf(tools === undefined)('several instances in the Helm chart', () => {
  it('of accounts use an S3 store, without a volume and with a way to it', async () => {
    const objects = await render(helm, 'redis-cluster-s3.yaml');
    const ofAccounts = (kind: string) =>
      objects.find((object) => object.kind === kind && processOf(object) === 'accounts')?.spec;

    expect(ofAccounts('Deployment')?.replicas).toBe(2);
    expect(objects.filter(({ kind }) => kind === 'PersistentVolumeClaim')).toEqual([]);
    expect(JSON.stringify(ofAccounts('NetworkPolicy')?.egress)).toContain('443');
  });

  it.each([
    ['everything.yaml', '0.2500'],
    ['redis-cluster-s3.yaml', '0.5000'],
  ])('of the gateway share the rate limits with %s', async (set, value) => {
    const gateway = containersOf(await render(helm, set), 'Deployment').find(
      ({ container }) => container.name === 'gateway',
    );

    expect(gateway?.container.env).toContainEqual({ name: 'RATE_LIMIT_SHARE', value });
  });
});
