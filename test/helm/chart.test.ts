import { loadConfig, loadPartOfConfig, variablesOf } from '@fiado/chassis/config';
import { MIGRATION_VARIABLES } from '@fiado/chassis/run-service';
import { ServiceConfig } from '@fiado/chassis/service-config';
import type { ProcessName } from '@fiado/contracts/process-names';

import { CONFIGS, lists } from './support/chart-lists';
import { typeErrorsOf } from './support/check-types';
import {
  containersOf,
  filesOf,
  lint,
  processOf,
  render,
  renderAll,
  sourcesOf,
  VALUE_SETS,
  type Container,
  type KubernetesObject,
  type Pod,
} from './support/render';
import { OWNER_URL, sampleSettings } from './support/sample-settings';
import { findTools } from './support/tools';

const tools = findTools();
const helm = tools?.helm ?? '';

/** Variables of the image's entry point and of Node. */
const NOT_FIADOS = ['SETTINGS_DIR', 'NODE_EXTRA_CA_CERTS'];

(tools === undefined ? describe.skip : describe)('the Helm chart', () => {
  let sets: Record<string, KubernetesObject[]>;
  let secrets: Awaited<ReturnType<typeof sampleSettings>>;

  beforeAll(async () => {
    sets = await renderAll(helm);
    secrets = await sampleSettings();
  });

  const everyObject = () => Object.values(sets).flat();

  // What it looks for in the other sets, their rendering shows.
  it('passes lint', async () => {
    expect(await lint(helm, 'everything.yaml')).toContain('0 chart(s) failed');
  });

  it('renders only objects of Kubernetes, KEDA and the Prometheus Operator, without unknown fields', () => {
    expect(VALUE_SETS).toHaveLength(6);
    const [object] = sets['sandbox.yaml'] ?? [];
    const wrong = { ...object, spec: { ...object?.spec, podSelektor: {} } } as KubernetesObject;

    expect(typeErrorsOf(tools?.types ?? '', { ...sets, wrong: [wrong] })).toEqual([
      expect.stringMatching(/^wrong: .*podSelektor/),
    ]);
  });

  it('makes workloads and what leads to them: no role, no ConfigMap and no Secret', () => {
    expect([...new Set(everyObject().map(({ kind }) => kind))].toSorted()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'PodMonitor',
      'ScaledObject',
      'Service',
      'ServiceAccount',
    ]);
  });

  it.each(VALUE_SETS)('each process and its migration accepts its variables with %s', (set) => {
    const processes = containersOf(sets[set] ?? [], 'Deployment');
    const migrations = containersOf(sets[set] ?? [], 'Job');
    expect(processes.length).toBeGreaterThanOrEqual(5);
    for (const one of processes) {
      const Config = CONFIGS.get(one.container.name) ?? Object;
      // Production refuses the host name of the examples.
      const environment = { ...environmentOf(one), PUBLIC_URL: 'https://fiado.test' };
      expect(() => loadConfig(Config, environment)).not.toThrow();
    }
    expect(migrations).toHaveLength(4);
    for (const one of migrations) {
      const environment = environmentOf(one);
      const load = () => loadPartOfConfig(ServiceConfig, environment, MIGRATION_VARIABLES);
      expect(load).not.toThrow();
      expect(load().DATABASE_URL).toBe(OWNER_URL);
    }
  });

  it('all value sets together give each process every variable of its configuration class', () => {
    for (const [process, Config] of CONFIGS) {
      const given = Object.values(sets)
        .flatMap((objects) => containersOf(objects, 'Deployment'))
        .filter(({ container }) => container.name === process)
        .flatMap((one) => [...one.container.env.map(({ name }) => name), ...filesOf(one)]);
      const read = variablesOf(Config).filter((name) => name !== 'MIGRATION_DATABASE_URL');
      const known = [...new Set(given)].filter((name) => !NOT_FIADOS.includes(name));
      expect([process, known.toSorted()]).toEqual([process, read.toSorted()]);
    }
  });

  it('a secret is a file: no variable holds one', () => {
    const secretNames = Object.keys(lists.secrets);
    const env = [
      ...containersOf(everyObject(), 'Deployment'),
      ...containersOf(everyObject(), 'Job'),
    ]
      .flatMap(({ container }) => container.env)
      .map(({ name }) => name);
    expect(env.filter((name) => secretNames.includes(name))).toEqual([]);
    expect(JSON.stringify(everyObject())).not.toMatch(/"(secretKeyRef|envFrom)"/);
  });

  it('the lender’s key of Facturapi is passed on where it is set, whoever issues the invoices of wholesalers', async () => {
    const keysIn = (objects: KubernetesObject[]) =>
      containersOf(objects, 'Deployment')
        .flatMap(filesOf)
        .filter((file) => file === 'FACTURAPI_KEY');
    const withKey = ['--set', 'optionalSecrets={FACTURAPI_KEY}'];
    expect(keysIn(sets['production.yaml'] ?? [])).toEqual([]);
    expect(keysIn(await render(helm, 'production.yaml', withKey))).toEqual(['FACTURAPI_KEY']);
  });

  it('only the migration gets the URL of the owner of the database, and no other secret but REDIS_URL', () => {
    const secretsOf = (kind: 'Deployment' | 'Job') =>
      containersOf(everyObject(), kind).flatMap(sourcesOf);
    expect(secretsOf('Deployment').map(({ name }) => name)).not.toContain('fiado-migration');
    const keys = secretsOf('Job').flatMap(({ items }) => items.map(({ key }) => key));
    expect(new Set(keys)).toEqual(new Set(['MIGRATION_DATABASE_URL', 'REDIS_URL']));
  });

  it('accounts can write to DATA_DIR: images and the list of erased persons stay there, or in the store of UPLOADS_URL', () => {
    for (const set of VALUE_SETS) {
      const [accounts] = containersOf(sets[set] ?? [], 'Deployment').filter(
        ({ container }) => container.name === 'accounts',
      );
      const env = new Map(accounts?.container.env.map(({ name, value }) => [name, value]));
      const mounted = accounts?.container.volumeMounts.find(
        ({ mountPath }) => mountPath === env.get('DATA_DIR'),
      );
      const volume = accounts?.pod.volumes.find(({ name }) => name === mounted?.name);
      expect([set, Object.keys(volume ?? {}).at(-1)]).toEqual([
        set,
        env.has('UPLOADS_URL') ? 'emptyDir' : 'persistentVolumeClaim',
      ]);
    }
    const claims = everyObject().filter(({ kind }) => kind === 'PersistentVolumeClaim');
    const policies = claims.map(
      ({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'],
    );
    expect(new Set(policies)).toEqual(new Set(['keep']));
  });

  /** What helm says of values that it refuses. */
  const refusalOf = (values: string[]): Promise<string> =>
    render(helm, 'production.yaml', ['--set', values.join()]).then(() => 'rendered', String);

  it('an unknown value is refused, and a secret among the settings', async () => {
    const refused = {
      // Helm names both in any order.
      'settings.RATE_LIMITS=1': /\/settings': additional properties .*'RATE_LIMITS'.* not allowed/,
      'settings.ENCRYPTION_KEY=x':
        /\/settings': additional properties .*'ENCRYPTION_KEY'.* not allowed/,
      'gateway.replicaCount=2': "at '/gateway': additional properties 'replicaCount' not allowed",
      'networkPolicy.redis.hosts=x': "'/networkPolicy/redis': additional properties 'hosts'",
      'image.tag=latest': "at '/image/tag'",
      'settings.DRAIN_MS=20000': "at '/settings/DRAIN_MS'",
      'settings.WEBHOOK_PROXY_URL=http://user:password@proxy:8080': '/settings/WEBHOOK_PROXY_URL',
    };
    const refusal = await refusalOf(Object.keys(refused));
    for (const message of Object.values(refused)) expect(refusal).toMatch(message);
  });

  it('a console without an address is refused, and an address without a console', async () => {
    expect(await refusalOf(['console.enabled=true'])).toContain('needs settings.CONSOLE_URL');
    const host = 'ingress.consoleHost=console.example.com';
    expect(await refusalOf([host])).toContain('needs console.enabled');
  });

  it('production without its public address or lender is refused', async () => {
    const required = ['PUBLIC_URL', 'LENDER_NAME', 'SUPPORT_PHONE', 'PRIVACY_URL'];
    const refusal = await refusalOf(required.map((variable) => `settings.${variable}=null`));
    for (const variable of required) expect(refusal).toContain(`/settings/${variable}'`);
  });

  it('every image is pinned by a tag or a digest, and a service may stay on its previous release', () => {
    const images = [
      ...containersOf(everyObject(), 'Deployment'),
      ...containersOf(everyObject(), 'Job'),
    ].map(({ container }) => container.image);
    for (const image of images) expect(image).toMatch(/(:\d[\w.-]*|@sha256:[0-9a-f]{64})$/);

    const imageOf = (kind: 'Deployment' | 'Job', process: string) =>
      containersOf(sets['everything.yaml'] ?? [], kind).find(
        ({ container }) => container.name === process,
      )?.container.image;
    expect(imageOf('Deployment', 'transactions')).toMatch(/:1\.3\.0$/);
    expect(imageOf('Job', 'transactions')).toMatch(/:1\.4\.0$/);
  });

  it('every container runs as another user than root, without capabilities, and cannot write its files', () => {
    for (const kind of ['Deployment', 'Job'] as const) {
      for (const { container, pod } of containersOf(everyObject(), kind)) {
        expect(pod.automountServiceAccountToken).toBe(false);
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits).toHaveProperty('memory');
      }
    }
  });

  it('each service has a name that resolves to all of its instances', () => {
    for (const object of everyObject().filter(({ kind }) => kind === 'Service')) {
      const isHeadless = lists.processes[processOf(object)]?.queue === true;
      expect([processOf(object), object.spec.clusterIP]).toEqual([
        processOf(object),
        isHeadless ? 'None' : undefined,
      ]);
    }
  });

  /** The environment that the image's entry point gives to a container's process. */
  function environmentOf(one: { container: Container; pod: Pod }): NodeJS.ProcessEnv {
    const { container } = one;
    const files = filesOf(one).map((name) => {
      const content =
        container.args.includes('migrate') && name === 'DATABASE_URL'
          ? OWNER_URL
          : secrets.get(container.name as ProcessName)?.[name];
      // The step `settings` writes each file that the chart wants.
      expect([container.name, name, content]).toEqual([
        container.name,
        name,
        expect.stringMatching(/./),
      ]);
      return [name, content];
    });
    const variables = container.env.map(({ name, value }) => [name, value]);
    return Object.fromEntries([...variables, ...files]) as NodeJS.ProcessEnv;
  }
});
