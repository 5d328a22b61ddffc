import {
  containersOf,
  processOf,
  renderAll,
  VALUE_SETS,
  type KubernetesObject,
} from './support/render';
import { findTools } from './support/tools';

const tools = findTools();
const helm = tools?.helm ?? '';

(tools === undefined ? describe.skip : describe)('autoscaling in the Helm chart', () => {
  let sets: Record<string, KubernetesObject[]>;

  beforeAll(async () => {
    sets = await renderAll(helm);
  });

  const scaled = (set: string, kind: string) =>
    (sets[set] ?? []).filter((object) => object.kind === kind);

  it('instances are added by the age of the oldest job of the own queue, as Prometheus has it', () => {
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
  });

  it('a figure that Prometheus does not have removes no instance', () => {
    const ignored = scaled('keda.yaml', 'ScaledObject')
      .flatMap(({ spec }) => spec.triggers ?? [])
      .filter(({ type }) => type === 'prometheus')
      .map(({ metadata }) => metadata.ignoreNullValues);
    expect(new Set(ignored)).toEqual(new Set(['false']));
  });

  it('instances are added by the CPU that one uses, whatever it requests', () => {
    const cpu = scaled('keda.yaml', 'ScaledObject')
      .flatMap(({ spec }) => spec.triggers ?? [])
      .filter(({ type }) => type === 'cpu');
    expect(
      new Set(cpu.map(({ metricType, metadata }) => `${metricType} ${metadata.value}`)),
    ).toEqual(new Set(['AverageValue 750m']));
  });

  it.each(VALUE_SETS)(
    'either an autoscaler sets the number of instances, or the Deployment does, with %s',
    (set) => {
      const objects = sets[set] ?? [];
      const autoscaled = objects
        .filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
        .map(processOf);
      const numbered = objects
        .filter(({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined)
        .map(processOf);
      const running = containersOf(objects, 'Deployment').map(({ container }) => container.name);
      expect([...autoscaled, ...numbered].toSorted()).toEqual(running.toSorted());
    },
  );
});
