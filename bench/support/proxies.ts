import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { until } from '@fiado/chassis/testing/until';
import { Child } from './child';
import type { Cleanup } from './cleanup';

const ROOT = resolve(__dirname, '../../..');
const START_DEADLINE_MS = 60_000;

/** Ways to one upstream that answers at once. */
interface Proxies {
  direct: string;
  gateway: string;
  /** Gateways of other builds. */
  others: string[];
  /** Absent where nginx is not installed. */
  nginx: string | undefined;
  /** Of the gateways, and of nginx's one process. */
  pids: Map<string, number>;
}

interface ProxyOptions {
  folder: string;
  nginx: boolean;
  /** Leaves a CPU profile of each gateway in the folder. */
  profile: boolean;
  /** Roots of other builds of the repository, whose gateways are started as well. */
  otherRoots?: string[];
}

export async function startProxies(
  cleanup: Cleanup,
  { folder, nginx, profile, otherRoots = [] }: ProxyOptions,
): Promise<Proxies> {
  const [upstream = 0, gateway = 0, front = 0, ...others] = await freePorts(3 + otherRoots.length);
  const direct = `http://127.0.0.1:${upstream}`;
  const start = (name: string, args: string[], env: Record<string, string>): Child => {
    const child = new Child({ name, command: process.execPath, args, env, folder });
    cleanup.add(() => child.stop());
    return child;
  };
  const pids = new Map<string, number>();
  const startGateway = (name: string, root: string, port: number): void => {
    const profiling = profile
      ? ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`]
      : [];
    const child = start(
      `forwarding-${name}`,
      [...profiling, `${root}/services/gateway/dist/main.js`],
      {
        ...testKeyVariables('gateway'),
        PORT: String(port),
        // Counted, and never reached.
        RATE_LIMIT_PER_SECOND: '1000000',
        ...Object.fromEntries(
          ['ACCOUNTS', 'TRANSACTIONS', 'PAYMENTS', 'NOTIFIER'].map((service) => [
            `${service}_URL`,
            direct,
          ]),
        ),
      },
    );
    pids.set(name, child.pid);
  };
  start('upstream', [join(__dirname, '..', 'upstream.js'), String(upstream)], {});
  startGateway('gateway', ROOT, gateway);
  for (const [at, root] of otherRoots.entries())
    startGateway(`other ${at + 1}`, root, others[at] ?? 0);
  if (nginx)
    pids.set('nginx', await startNginx(cleanup, { folder, port: front, upstream: direct }));

  const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
  const proxies = {
    direct,
    gateway: urlOf(gateway),
    others: others.map(urlOf),
    nginx: nginx ? urlOf(front) : undefined,
    pids,
  };
  for (const url of [proxies.direct, proxies.gateway, ...proxies.others, proxies.nginx]) {
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

/**
 * One process, as the gateway is one process; it keeps connections and logs each request, too.
 * @returns its pid
 */
async function startNginx(
  cleanup: Cleanup,
  { folder, port, upstream }: { folder: string; port: number; upstream: string },
): Promise<number> {
  const prefix = join(folder, 'nginx');
  await mkdir(prefix);
  const config = join(prefix, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; master_process off; pid ${prefix}/nginx.pid; error_log ${prefix}/error.log;
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
  return child.pid;
}
