import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROCESS_NAMES, SERVICES, type ProcessName } from '@fiado/contracts/process-names';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { waitFor } from '../../e2e/support/api';
import { pidOf } from '../../e2e/support/system';
import { startDeployment, type Deployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Ground } from './drill';

/** Longer than the 3 s for which nginx may leave out the other gateway, which is back (docs/deployment.md). */
export const DRAIN_MS = 4_000;
const RESTART_DEADLINE_MS = 60_000;
/** A service before its callers, as docs/deployment.md says. */
const RELEASE_ORDER: ProcessName[] = [
  'notifier',
  'payments',
  'transactions',
  'accounts',
  'gateway',
];

/** Two processes of each service, and an nginx before the two gateways. */
export const nginx: Drills = {
  open,
  faults: {
    'Two gateways behind nginx restarted in turn': {
      faultMs: 0,
      runbook: 'process-down',
      inflict: async (ground) => {
        await replaceBoth(ground as FrontGround, 'gateway');
        return () => Promise.resolve();
      },
    },
    'A rolling release with two of each, behind nginx': {
      faultMs: 0,
      runbook: 'process-down',
      inflict: async (ground) => {
        for (const service of RELEASE_ORDER) await replaceBoth(ground as FrontGround, service);
        return () => Promise.resolve();
      },
    },
    'One of two gateways behind nginx killed': {
      faultMs: 3_000,
      runbook: 'process-down',
      inflict: async ({ deployment: { system } }) => {
        system.kill('gateway');
        return () => Promise.resolve();
      },
    },
  },
};

/** The processes of services that run beside the supervisor's. */
export interface Pairs {
  deployment: Deployment;
  seconds: Map<ProcessName, Instance>;
}

interface FrontGround extends Ground, Pairs {}

/** Stops each of the two in order, and goes on when its successor is ready. */
export async function replaceBoth(
  { deployment, seconds }: Pairs,
  service: ProcessName,
): Promise<void> {
  const old = seconds.get(service);
  if (old === undefined) throw new Error(`There is no second ${service}`);
  await old.stop();
  seconds.set(service, await Instance.start(deployment, service, { port: old.port }));

  const { system, ports } = deployment;
  const before = pidOf(system.supervisorPid, service);
  process.kill(before, 'SIGTERM');
  const port = service === 'gateway' ? system.ports[0] : ports[service];
  await waitFor(async () => {
    const now = await Promise.resolve()
      .then(() => pidOf(system.supervisorPid, service))
      .catch(() => before);
    if (now === before) return undefined;
    const url = `http://127.0.0.1:${port}/health/ready`;
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.status === 200 || undefined;
  }, RESTART_DEADLINE_MS);
}

async function open(): Promise<FrontGround> {
  const deployment = await startDeployment('redis', {
    two: SERVICES,
    variables: { DRAIN_MS: String(DRAIN_MS) },
  });
  const seconds = new Map<ProcessName, Instance>();
  for (const service of PROCESS_NAMES) {
    const port = service === 'gateway' ? {} : { port: deployment.secondPorts[service] };
    seconds.set(service, await Instance.start(deployment, service, port));
  }
  const second = seconds.get('transactions') as Instance;
  const front = await startNginx(deployment, seconds.get('gateway') as Instance);
  const dispose = async () => {
    await front.stop();
    for (const instance of seconds.values()) await instance.stop();
  };
  return { deployment, second, seconds, baseUrl: front.url, dispose };
}

/** With the lines of docs/deployment.md. */
async function startNginx(
  { system }: Deployment,
  other: Instance,
): Promise<{ url: string; stop(): Promise<void> }> {
  const prefix = await mkdtemp(join(tmpdir(), 'fiado-chaos-nginx-'));
  await mkdir(join(prefix, 'temp'));
  const [port = 0] = await freePorts(1);
  const config = join(prefix, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${prefix}/temp/${name};`)
    .join(' ');
  await writeFile(
    config,
    `daemon off; worker_processes 1; pid ${prefix}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off; ${temporary}
  upstream fiado {
    server 127.0.0.1:${system.ports[0]} max_fails=1 fail_timeout=2s;
    server 127.0.0.1:${other.port} max_fails=1 fail_timeout=2s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://fiado;
      proxy_http_version 1.1;
      proxy_set_header Connection close;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s;
      proxy_read_timeout 15s;
      proxy_next_upstream error timeout;
    }
  }
}
`,
  );
  // As root its worker would be another user, who may not enter this folder.
  const user = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  const args = ['-p', prefix, '-c', config, '-e', join(prefix, 'error.log'), ...user];
  const server: ChildProcess = spawn('nginx', args, {
    stdio: 'inherit',
    env: { PATH: '/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin' },
  });
  let failure: Error | undefined;
  server.once('error', (error) => (failure = error));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => {
    if (failure !== undefined) throw failure;
    const answer = await fetch(`${url}/health/live`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.ok || undefined;
  });
  return {
    url,
    stop: async () => {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
      await rm(prefix, { recursive: true, force: true });
    },
  };
}
