import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { until } from '@fiado/chassis/testing/until';
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
import { isInstalled } from '../support/programs';
import { rowFinding, type Finding, type Ground, type PhaseResult } from '../support/world';
import { Child } from '../support/child';
import type { Cleanup } from '../support/cleanup';

const ROOT = resolve(__dirname, '../../..');
const START_DEADLINE_MS = 20_000;

/** Three ways to one upstream that answers at once. */
interface Proxies {
  direct: string;
  gateway: string;
  /** Absent where nginx is not installed. */
  nginx: string | undefined;
  /** Of the gateway. */
  pids: Map<string, number>;
}

async function startProxies(
  cleanup: Cleanup,
  { folder, nginx, profile }: { folder: string; nginx: boolean; profile: boolean },
): Promise<Proxies> {
  const [upstream = 0, gateway = 0, front = 0] = await freePorts(3);
  const direct = `http://127.0.0.1:${upstream}`;
  const start = (name: string, args: string[], env: Record<string, string>): Child => {
    const child = new Child({ name, command: process.execPath, args, env, folder });
    cleanup.add(() => child.stop());
    return child;
  };
  const profiling = profile
    ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-name=forwarding.cpuprofile']
    : [];
  start('upstream', [join(__dirname, '..', 'upstream.js'), String(upstream)], {});
  const forwarding = start(
    'forwarding-gateway',
    [...profiling, `${ROOT}/services/gateway/dist/main.js`],
    {
      ...testKeyVariables('gateway'),
      PORT: String(gateway),
      // Counted, and never reached.
      RATE_LIMIT_PER_SECOND: '1000000',
      ...Object.fromEntries(
        ['ACCOUNTS', 'TRANSACTIONS', 'PAYMENTS', 'NOTIFIER'].map((name) => [`${name}_URL`, direct]),
      ),
    },
  );
  if (nginx) await startNginx(cleanup, { folder, port: front, upstream: direct });

  const proxies = {
    direct,
    gateway: `http://127.0.0.1:${gateway}`,
    nginx: nginx ? `http://127.0.0.1:${front}` : undefined,
    pids: new Map([['gateway', forwarding.pid]]),
  };
  for (const url of [proxies.direct, proxies.gateway, proxies.nginx]) {
    if (url === undefined) continue;
    const answers = (): Promise<boolean> =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await until(`${url} answers`, answers, START_DEADLINE_MS);
  }
  return proxies;
}

/** One worker, as the gateway is one process; it keeps connections and logs each request, too. */
async function startNginx(
  cleanup: Cleanup,
  { folder, port, upstream }: { folder: string; port: number; upstream: string },
): Promise<void> {
  const prefix = join(folder, 'nginx');
  await mkdir(prefix);
  const config = join(prefix, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; worker_processes 1; pid ${prefix}/nginx.pid; error_log ${prefix}/error.log;
events { worker_connections 1024; }
http {
  access_log ${prefix}/access.log;
  client_body_temp_path ${prefix}/body; proxy_temp_path ${prefix}/proxy;
  fastcgi_temp_path ${prefix}/fastcgi; uwsgi_temp_path ${prefix}/uwsgi; scgi_temp_path ${prefix}/scgi;
  keepalive_requests 1000000;
  upstream service { server ${new URL(upstream).host}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`,
  );
  // As root its worker would be another user, who may not enter the run's folder.
  const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  const child = new Child({
    name: 'nginx',
    command: 'nginx',
    args: ['-p', prefix, '-c', config, '-e', join(prefix, 'error.log'), ...user],
    env: { PATH: '/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin' },
    folder,
  });
  cleanup.add(() => child.stop());
}

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
