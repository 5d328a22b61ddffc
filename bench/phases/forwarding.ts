import { alternate, rateOf, ratioOf, type Subject } from '../support/alternate';
import { cpuSeconds } from '../support/cpu';
import { Load, type Sent } from '../support/load';
import { orderBody } from '../support/market';
import { isInstalled } from '../support/programs';
import { startProxies } from '../support/proxies';
import type { Finding, Ground, PhaseResult } from '../support/world';

type Way = 'direct' | 'gateway' | 'nginx';

/** The upstream looks at no order. */
const NOBODY = { stores: [] };

/** The gateway and nginx before the same upstream, which answers at once: what going through costs. */
export async function measureForwarding(ground: Ground): Promise<PhaseResult> {
  const { options, cleanup, folder, say } = ground;
  const nginx = isInstalled('nginx');
  if (!nginx) say('  nginx is not installed: the gateway is measured without it');
  const proxies = await startProxies(cleanup, { folder, nginx, profile: options.profile });
  const requests: Record<string, (n: number) => Sent> = {
    GET: (n) => ({ method: 'GET', path: `/v1/corner-store/external/tienda-${n % 500}` }),
    e7: (n) => ({ method: 'POST', path: '/v1/transaction', body: orderBody(NOBODY, n) }),
  };

  const ways = (['direct', 'gateway', 'nginx'] as Way[]).filter(
    (way) => proxies[way] !== undefined,
  );
  const subjects: Subject[] = Object.entries(requests).flatMap(([request, draw]) =>
    ways.map((way) => {
      const load = new Load({
        url: proxies[way] ?? '',
        connections: options.connections,
        headers: { authorization: 'any-key' },
        draw,
      });
      return { name: `${request} ${way}`, round: (seconds: number) => load.round(seconds) };
    }),
  );
  const before = cpuSeconds(proxies.pids).get('gateway') ?? 0;
  const rounds = await alternate(subjects, { ...options, say });
  const used = (cpuSeconds(proxies.pids).get('gateway') ?? 0) - before;
  const forwarded = ['GET gateway', 'e7 gateway']
    .flatMap((name) => rounds.get(name) ?? [])
    .reduce((sum, { count }) => sum + count, 0);

  const findings = Object.keys(requests).flatMap((request): Finding[] => [
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
        ...(way === 'gateway' ? { target: { least: 0.25 } } : {}),
      })),
    ...(nginx
      ? [
          {
            what: `${request}: gateway against nginx`,
            value: ratioOf(rounds, `${request} gateway`, `${request} nginx`),
            unit: '×',
          },
        ]
      : []),
  ]);
  if (used > 0) {
    const value = (used * 1_000_000) / forwarded;
    findings.push({ what: 'CPU of the gateway for a request', value, unit: 'µs' });
  }
  return { phase: 'forwarding', findings, rounds: Object.fromEntries(rounds) };
}
