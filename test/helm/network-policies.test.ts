import { variablesOf } from '@fiado/chassis/config';

import { CONFIGS, lists } from './support/chart-lists';
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

(tools === undefined ? describe.skip : describe)('the NetworkPolicies of the Helm chart', () => {
  let sets: Record<string, KubernetesObject[]>;

  beforeAll(async () => {
    sets = await renderAll(helm);
  });

  it.each(VALUE_SETS)('allow the calls of the services and no others with %s', (set) => {
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
  });

  it('a process that calls nobody outside has no way to the internet', () => {
    const rules = (sets['everything.yaml'] ?? [])
      .filter((object) => object.kind === 'NetworkPolicy')
      .filter((object) => !['accounts', 'transactions', 'notifier'].includes(processOf(object)))
      .flatMap(({ spec }) => spec.egress ?? []);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter(({ to = [] }) => to.length === 0)).toEqual([]);
    expect(JSON.stringify(rules)).not.toMatch(/0\.0\.0\.0\/0|2000::\/3/);
  });
});
