import {
  alternate,
  median,
  rateOf,
  ratioOf,
  type Rounds,
  type Subject,
} from '../support/alternate';
import { cpuSeconds } from '../support/cpu';
import { Load, type Measured, type Sent } from '../support/load';
import { orderBody } from '../support/market';
import { startProxies } from '../support/proxies';
import { isInstalled } from '../support/programs';
import { rowFinding, type Finding, type Ground, type PhaseResult } from '../support/world';

type Way = 'direct' | 'gateway' | 'nginx';

/** The upstream looks at no order. */
const NOBODY = { stores: [] };

/**
 * The gateway and nginx before the same upstream, which answers at once: what going through costs.
 */
export async function measureForwarding(ground: Ground): Promise<PhaseResult> {
  const { options, cleanup, folder, say } = ground;
  const nginx = isInstalled('nginx');
  if (!nginx) say('  nginx is not installed: the gateway is measured without it');
  const proxies = await startProxies(cleanup, { folder, nginx, profile: options.profile });
  const requests: Record<string, (n: number) => Sent> = {
    GET: (n) => ({ method: 'GET', path: `/v1/corner-store/external/tienda-${n % 500}` }),
    order: (n) => ({ method: 'POST', path: '/v1/transaction', body: orderBody(NOBODY, n) }),
  };

  const ways = (['direct', 'gateway', 'nginx'] as Way[]).filter(
    (way) => proxies[way] !== undefined,
  );
  const cpuMicros: number[] = [];
  const subjects: Subject[] = Object.entries(requests).flatMap(([request, draw]) =>
    ways.map((way) => {
      const load = new Load({
        url: proxies[way] ?? '',
        connections: options.connections,
        headers: { authorization: 'any-key' },
        draw,
      });
      const round = async (seconds: number): Promise<Measured> => {
        const before = cpuSeconds(proxies.pids).get('gateway');
        const measured = await load.round(seconds);
        const after = cpuSeconds(proxies.pids).get('gateway');
        if (way === 'gateway' && before !== undefined && after !== undefined) {
          cpuMicros.push((1_000_000 * (after - before)) / measured.count);
        }
        return measured;
      };
      return { name: `${request} ${way}`, round, ...(way === 'gateway' ? {} : { warmUps: 1 }) };
    }),
  );
  const rounds = await alternate(subjects, { ...options, say });

  const findings = Object.keys(requests).flatMap((request) => findingsOf(request, ways, rounds));
  if (ways.includes('nginx')) {
    const ratios = Object.keys(requests).map((request) =>
      ratioOf(rounds, `${request} gateway`, `${request} nginx`),
    );
    findings.push(rowFinding('nginx', Math.min(...ratios)));
  }
  if (cpuMicros.length > 0) {
    const value = median(cpuMicros);
    findings.push({ what: 'CPU of the gateway for a request', value, unit: 'µs' });
  }
  return { phase: 'forwarding', findings, rounds: Object.fromEntries(rounds) };
}

function findingsOf(request: string, ways: Way[], rounds: Rounds): Finding[] {
  return [
    ...ways.map((way) => ({
      what: `${request}: ${way === 'direct' ? 'the upstream itself' : `through ${way}`}`,
      value: rateOf(rounds, `${request} ${way}`),
      unit: '/s',
    })),
    ...ways
      .filter((way) => way !== 'direct')
      .map((way) => ({
        what: `${request}: ${way} against its upstream`,
        value: ratioOf(rounds, `${request} ${way}`, `${request} direct`),
        unit: '×',
      })),
    ...(ways.includes('nginx')
      ? [
          {
            what: `${request}: gateway against nginx`,
            value: ratioOf(rounds, `${request} gateway`, `${request} nginx`),
            unit: '×',
          },
        ]
      : []),
  ];
}
