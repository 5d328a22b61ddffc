import { loadConfig, variablesOf } from '@fiado/shared/chassis/config';
import type { ProcessName } from '@fiado/shared/contracts/process-names';

import { CONFIGS, lists } from './support/chart-lists';
import { typeErrorsOf } from './support/check-types';
import {
  containersOf,
  filesOf,
  lint,
  processOf,
  render,
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

describe.skipIf(tools === undefined)('the Helm chart', () => {
  let sets: Record<string, KubernetesObject[]>;
  let secrets: Awaited<ReturnType<typeof sampleSettings>>;

  beforeAll(async () => {
    const rendered = VALUE_SETS.map(async (set) => [set, await render(helm, set)] as const);
    sets = Object.fromEntries(await Promise.all(rendered));
    secrets = await sampleSettings();
  });

  const everyObject = () => Object.values(sets).flat();

  it.each(VALUE_SETS)('passes lint with %s', async (set) => {
    expect(await lint(helm, set)).toContain('0 chart(s) failed');
  });

  it('renders only objects of Kubernetes, KEDA and the Prometheus Operator, without unknown fields', () => {
    expect(VALUE_SETS).toHaveLength(6);
    expect(typeErrorsOf(tools?.types ?? '', sets)).toEqual([]);

    const [object] = sets['sandbox.yaml'] ?? [];
    const wrong = { ...object, spec: { ...object?.spec, podSelektor: {} } } as KubernetesObject;
    expect(typeErrorsOf(tools?.types ?? '', { wrong: [wrong] }).join()).toContain('podSelektor');
  });

  it.each(VALUE_SETS)('each process and its migration accepts its variables with %s', (set) => {
    const objects = sets[set] ?? [];
    const started = [...containersOf(objects, 'Deployment'), ...containersOf(objects, 'Job')];
    expect(started.length).toBeGreaterThanOrEqual(9);
    for (const one of started) {
      const Config = CONFIGS.get(one.container.name) ?? Object;
      expect(() => loadConfig(Config, environmentOf(one))).not.toThrow();
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

  it('a secret is a file: no variable, ConfigMap or Secret of the chart holds one', () => {
    const secretNames = Object.keys(lists.secrets);
    const env = [
      ...containersOf(everyObject(), 'Deployment'),
      ...containersOf(everyObject(), 'Job'),
    ]
      .flatMap(({ container }) => container.env)
      .map(({ name }) => name);
    expect(env.filter((name) => secretNames.includes(name))).toEqual([]);
    expect(everyObject().filter(({ data }) => data !== undefined)).toEqual([]);
    expect(JSON.stringify(everyObject())).not.toMatch(/"(secretKeyRef|envFrom)"/);
  });

  it('only the migration gets the URL of the owner of the database', () => {
    const files = (kind: 'Deployment' | 'Job') => containersOf(everyObject(), kind).map(filesOf);
    expect(files('Deployment').flat()).not.toContain('MIGRATION_DATABASE_URL');
    for (const ofOne of files('Job')) expect(ofOne).toContain('MIGRATION_DATABASE_URL');
  });

  it('an unknown value is refused, and so is a secret among the settings', async () => {
    const refusals = [
      ['settings.RATE_LIMITS=1', "additional properties 'RATE_LIMITS' not allowed"],
      ['settings.ENCRYPTION_KEY=x', "additional properties 'ENCRYPTION_KEY' not allowed"],
      ['gateway.replicaCount=2', "additional properties 'replicaCount' not allowed"],
      ['networkPolicy.redis.hosts=x', "additional properties 'hosts' not allowed"],
      ['image.tag=latest', "at '/image/tag'"],
    ].map(([value = '', message]) =>
      expect(render(helm, 'production.yaml', ['--set', value])).rejects.toThrow(message),
    );
    await Promise.all(refusals);
  });

  it('production without its public address or lender is refused', async () => {
    const required = ['PUBLIC_URL', 'LENDER_NAME', 'SUPPORT_PHONE', 'PRIVACY_URL'];
    const refusals = required.map((variable) =>
      expect(
        render(helm, 'production.yaml', ['--set', `settings.${variable}=null`]),
      ).rejects.toThrow(variable),
    );
    await Promise.all(refusals);
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

  it.each(VALUE_SETS)(
    'the NetworkPolicies allow the calls of the services and no others with %s',
    (set) => {
      const policies = (sets[set] ?? []).filter(({ kind }) => kind === 'NetworkPolicy');
      const running = containersOf(sets[set] ?? [], 'Deployment').map(
        ({ container }) => container.name,
      );
      const calls = running.flatMap((caller) =>
        variablesOf(CONFIGS.get(caller) ?? Object)
          .map((variable) => /^([A-Z]+)_URL$/.exec(variable)?.[1]?.toLowerCase() ?? '')
          .filter((called) => called in lists.processes)
          // The address of the console itself.
          .filter((called) => called !== 'console')
          .map((called) => `${caller} -> ${called}:${lists.processes[called]?.port}`),
      );
      const allowed = (direction: 'ingress' | 'egress') =>
        policies.flatMap((policy) =>
          (policy.spec[direction] ?? []).flatMap(({ ports, from = [], to = [] }) =>
            [...from, ...to].flatMap(({ podSelector }) => {
              const other = podSelector?.matchLabels['app.kubernetes.io/component'];
              if (other === undefined) return [];
              const own = processOf(policy);
              const [caller, called] = direction === 'ingress' ? [other, own] : [own, other];
              return ports.map(({ port }) => `${caller} -> ${called}:${port}`);
            }),
          ),
        );
      expect(allowed('egress').toSorted()).toEqual(calls.toSorted());
      // Where everybody may call the gateway, the console needs no rule of its own.
      const everybody = policies.some(
        (policy) => processOf(policy) === 'gateway' && policy.spec.ingress?.[0]?.from === undefined,
      );
      const ruled = calls.filter((call) => !everybody || !call.includes('-> gateway'));
      expect(
        allowed('ingress')
          .filter((call) => running.includes(call.split(' ')[0] ?? ''))
          .toSorted(),
      ).toEqual(ruled.toSorted());
    },
  );

  it('every container runs as another user than root, without capabilities, and cannot write its files', () => {
    for (const kind of ['Deployment', 'Job'] as const) {
      for (const { container, pod } of containersOf(everyObject(), kind)) {
        expect(pod.automountServiceAccountToken).toBe(false);
        expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
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

  it('instances are added by the age of the oldest job of the own queue, as Prometheus has it', () => {
    const scaled = (set: string, kind: string) =>
      (sets[set] ?? []).filter((object) => object.kind === kind);
    const queries = scaled('keda.yaml', 'ScaledObject').map((object) => [
      processOf(object),
      object.spec.triggers?.find(({ type }) => type === 'prometheus')?.metadata.query,
    ]);
    expect(queries).toContainEqual([
      'notifier',
      'max(fiado_queue_oldest_waiting_seconds{queue="notifier",namespace="fiado"})',
    ]);
    expect(queries).toContainEqual(['gateway', undefined]);

    const metrics = scaled('everything.yaml', 'HorizontalPodAutoscaler').map((object) => [
      processOf(object),
      object.spec.metrics?.flatMap(({ external }) => external?.metric ?? [])[0],
    ]);
    expect(metrics).toContainEqual([
      'payments',
      {
        name: 'fiado_queue_oldest_waiting_seconds',
        selector: { matchLabels: { queue: 'payments' } },
      },
    ]);
    // A Deployment with a number of its own would undo what the autoscaler did.
    const numbers = scaled('keda.yaml', 'Deployment').map(({ spec }) => spec.replicas);
    expect(numbers.filter((number) => number !== undefined)).toEqual([]);
  });

  it('several instances of accounts are refused while it keeps images in a folder', async () => {
    const set = ['--set', 'accounts.replicas=2'];
    await expect(render(helm, 'production.yaml', set)).rejects.toThrow('accounts.replicas');
  });

  /** The environment that the image's entry point gives to a container's process. */
  function environmentOf(one: { container: Container; pod: Pod }): NodeJS.ProcessEnv {
    const { container } = one;
    const files = filesOf(one).map((name) => {
      const content =
        name === 'MIGRATION_DATABASE_URL'
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
