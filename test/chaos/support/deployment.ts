import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { startCluster, startSentinels, type RedisReplicas } from '../../support/redis-replicas';
import { startSystem, type System } from '../../e2e/support/system';
import { ChaosDatabase } from './database';
import { TcpProxy } from '../../support/tcp-proxy';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import { PROXIED, type Backend, type Proxied, type ReplicatedBackend } from './schedule';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

/** All of Fiado in real processes, with everything around it that can be broken. */
export interface Deployment {
  system: System;
  database: ChaosDatabase;
  redis: RedisServer | undefined;
  replicas: RedisReplicas | undefined;
  twilio: TwilioStandIn;
  proxies: Record<Proxied, TcpProxy>;
  /** Port of each service itself, past its proxy. */
  ports: Record<Proxied, number>;
  /** Port for a second process of a service, which is called in turn with the first; nobody starts it. */
  secondPorts: Record<Proxied, number>;
  /** The environment of the supervisor. */
  environment: Record<string, string>;
  dispose(): Promise<void>;
}

/** The caps against SMS pumping would end the work of six phones after some seconds. */
const SMS_CAP = '10000';
/** A port that nobody listens on; https, for else no callback is asked for and no id is seen. */
const CALLBACK_BASE = 'https://127.0.0.1:1';

export interface DeploymentOptions {
  /** Besides the variables that every run has, or in their place. */
  variables?: Record<string, string>;
  /** Services with a second process. Their callers reach both without a proxy. */
  two?: readonly Proxied[];
  /** Starts the database, where it is not as usual. */
  startDatabase?: () => Promise<ChaosDatabase>;
  /** Starts what stands between the system and its stores. @returns the variables that lead there */
  stepBetween?: (stores: Stores) => Promise<Record<string, string>>;
}

/** What the system is started on. */
type Stores = Pick<Deployment, 'database' | 'redis' | 'twilio' | 'environment'>;

export async function startDeployment(
  backend: Backend | ReplicatedBackend,
  options: DeploymentOptions = {},
): Promise<Deployment> {
  const undo: Array<() => Promise<unknown>> = [];
  const dispose = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return Object.assign(await build(backend, options, undo), { dispose });
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function build(
  backend: Backend | ReplicatedBackend,
  {
    variables = {},
    two = [],
    startDatabase = () => ChaosDatabase.start(),
    stepBetween,
  }: DeploymentOptions,
  undo: Array<() => Promise<unknown>>,
): Promise<Omit<Deployment, 'dispose'>> {
  const database = await startDatabase();
  undo.push(() => database.dispose());
  const redis = backend === 'redis' ? await RedisServer.start() : undefined;
  if (redis) undo.push(() => redis.stop());
  const replicas = await startReplicas(backend);
  if (replicas) undo.push(() => replicas.stop());
  const redisUrl = redis?.url ?? replicas?.url;
  const twilio = await TwilioStandIn.start();
  undo.push(() => twilio.stop());

  const free = await freePorts(1 + 2 * PROXIED.length);
  const ports = perService((_, index) => free[index + 1] ?? 0);
  const secondPorts = perService((_, index) => free[index + 1 + PROXIED.length] ?? 0);
  const proxies = {
    accounts: await TcpProxy.start(ports.accounts),
    transactions: await TcpProxy.start(ports.transactions),
    payments: await TcpProxy.start(ports.payments),
    notifier: await TcpProxy.start(ports.notifier),
  };
  undo.push(() => Promise.all(Object.values(proxies).map((proxy) => proxy.stop())));

  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-chaos-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  // A start that fails leaves its supervisor, which nobody else can name.
  undo.push(() => endSupervisors());
  const urls = PROXIED.map((service) => {
    const both = [ports[service], secondPorts[service]].map((port) => `http://127.0.0.1:${port}`);
    return [
      `${service.toUpperCase()}_URL`,
      two.includes(service) ? both.join(',') : proxies[service].url,
    ] as const;
  });
  const environment: Record<string, string> = {
    DATABASE_URL: database.url,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...Object.fromEntries(urls),
    PUBLIC_URL: CALLBACK_BASE,
    ...twilio.variables,
    SMS_PER_PHONE_PER_DAY: SMS_CAP,
    SMS_PER_WHOLESALER_PER_MINUTE: SMS_CAP,
    ...variables,
  };
  Object.assign(environment, await stepBetween?.({ database, redis, twilio, environment }));
  const system = await startSystem({ ports: free, dataDir, env: environment });
  const deployment = {
    system,
    database,
    redis,
    replicas,
    twilio,
    proxies,
    ports,
    secondPorts,
    environment,
  };
  undo.push(() => deployment.system.dispose());
  return deployment;
}

async function startReplicas(
  backend: Backend | ReplicatedBackend,
): Promise<RedisReplicas | undefined> {
  if (backend === 'redis-sentinel') return startSentinels();
  return backend === 'redis-cluster' ? startCluster() : undefined;
}

/** Ends the supervisors that this process started and that still run. */
async function endSupervisors(): Promise<void> {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
  for (const line of children.toString().split('\n')) {
    if (line.includes('apps/supervisor/dist/main.js')) process.kill(Number.parseInt(line, 10));
  }
}

function perService<T>(valueOf: (service: Proxied, index: number) => T): Record<Proxied, T> {
  const rows = PROXIED.map((service, index) => [service, valueOf(service, index)] as const);
  return Object.fromEntries(rows) as Record<Proxied, T>;
}
