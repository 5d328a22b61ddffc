import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const start = promisify(execFile);

export const CHART = resolve(__dirname, '../../../ops/helm/fiado');
const EXAMPLES = resolve(CHART, '../examples');
/** The value sets of the tests, which are examples for readers too. */
export const VALUE_SETS = readdirSync(EXAMPLES).filter((file) => file.endsWith('.yaml'));

export interface Container {
  name: string;
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  securityContext: object;
  resources: { requests: object; limits: object };
  readinessProbe?: object;
}

interface SecretSource {
  secret: { name: string; items: { key: string; path: string }[] };
}

export interface Pod {
  automountServiceAccountToken: boolean;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; projected?: { sources: SecretSource[] } }[];
}

interface Peer {
  podSelector?: { matchLabels: Record<string, string> };
}

interface Rule {
  ports: { port: number }[];
  from?: Peer[];
  to?: Peer[];
}

/** What the tests read of an object of the chart. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    replicas?: number;
    clusterIP?: string;
    template?: { spec: Pod };
    ingress?: Rule[];
    egress?: Rule[];
    metrics?: { external?: { metric: object } }[];
    triggers?: { type: string; metricType: string; metadata: Record<string, string> }[];
    maxUnavailable?: number;
    unhealthyPodEvictionPolicy?: string;
  };
}

/**
 * The objects of the chart with one of the value sets.
 * @param more arguments of helm, such as --set
 * @throws Error with what helm printed if it refuses the values
 */
export async function render(
  helm: string,
  values: string,
  more: string[] = [],
): Promise<KubernetesObject[]> {
  const file = join(EXAMPLES, values);
  const args = ['template', 'fiado', CHART, '--namespace', 'fiado', '--values', file, ...more];
  const { stdout } = await start(helm, args, { maxBuffer: 64 * 1024 * 1024 });
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

let rendered: Promise<Record<string, KubernetesObject[]>> | undefined;

/** The objects of the chart with each of the value sets, by the name of the set; made once. */
export function renderAll(helm: string): Promise<Record<string, KubernetesObject[]>> {
  const renderSet = async (set: string) => [set, await render(helm, set)] as const;
  return (rendered ??= Promise.all(VALUE_SETS.map(renderSet)).then(Object.fromEntries));
}

/** What `helm lint` prints; it fails on a fault. */
export async function lint(helm: string, values: string): Promise<string> {
  const file = join(EXAMPLES, values);
  const { stdout } = await start(helm, ['lint', '--strict', CHART, '--values', file]);
  return stdout;
}

/** The process that an object belongs to. */
export function processOf({ metadata }: KubernetesObject): string {
  return metadata.labels['app.kubernetes.io/component'] ?? '';
}

/** The containers of Deployments, or of the migration. */
export function containersOf(
  objects: KubernetesObject[],
  kind: 'Deployment' | 'Job',
): { container: Container; pod: Pod }[] {
  return objects
    .filter((object) => object.kind === kind)
    .flatMap(({ spec }) => (spec.template === undefined ? [] : [spec.template.spec]))
    .flatMap((pod) => pod.containers.map((container) => ({ container, pod })));
}

/** The variables that a container reads from files of Secrets. */
export function filesOf(one: { container: Container; pod: Pod }): string[] {
  return sourcesOf(one).flatMap(({ items }) => items.map(({ path }) => path));
}

/** The Secrets whose keys a container has as files. */
export function sourcesOf({
  container,
  pod,
}: {
  container: Container;
  pod: Pod;
}): SecretSource['secret'][] {
  const mounted = container.volumeMounts
    .filter(({ mountPath }) => mountPath.startsWith('/settings/'))
    .map(({ name }) => name);
  return pod.volumes
    .filter(({ name }) => mounted.includes(name))
    .flatMap(({ projected }) => projected?.sources ?? [])
    .map(({ secret }) => secret);
}
