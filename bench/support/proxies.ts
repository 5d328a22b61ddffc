import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Child } from './child';
import type { Cleanup } from './cleanup';
import { freePorts } from '@fiado/shared/testing/free-ports';
import { testKeyVariables } from '@fiado/shared/testing/process-keys';
import { until } from '@fiado/shared/testing/until';

const ROOT = resolve(__dirname, '../../..');
const START_DEADLINE_MS = 20_000;

/** Three ways to one upstream that answers at once. */
export interface Proxies {
  direct: string;
  gateway: string;
  /** Absent where nginx is not installed. */
  nginx: string | undefined;
  /** Of the gateway. */
  pids: Map<string, number>;
}

export async function startProxies(
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
