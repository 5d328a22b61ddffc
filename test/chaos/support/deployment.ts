import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import {
  startCluster,
  startSentinels,
  type RedisReplicas,
} from '@fiado/chassis/testing/redis-replicas';
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
  /** Port for a second transactions, which the gateway calls in turn with the first; nobody starts it. */
  secondTransactions: number;
  /** The environment of the supervisor. */
  environment: Record<string, string>;
  dispose(): Promise<void>;
}

/** The caps against SMS pumping would end the work of six phones after some seconds. */
const SMS_CAP = '10000';
/** A port that nobody listens on; https, for else no callback is asked for and no id is seen. */
const CALLBACK_BASE = 'https://127.0.0.1:1';

/**
 * @param variables besides those that every run has, or in their place
 * @param hasTwo whether requests also go to a second transactions
 */
export async function startDeployment(
  backend: Backend | ReplicatedBackend,
  variables: Record<string, string> = {},
  hasTwo = false,
): Promise<Deployment> {
  const undo: Array<() => Promise<unknown>> = [];
  const dispose = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await build({ backend, variables, hasTwo }, undo)), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function build(
  {
    backend,
    variables,
    hasTwo,
  }: {
    backend: Backend | ReplicatedBackend;
    variables: Record<string, string>;
    hasTwo: boolean;
  },
  undo: Array<() => Promise<unknown>>,
): Promise<Omit<Deployment, 'dispose'>> {
  const database = await ChaosDatabase.start();
  undo.push(() => database.dispose());
  const redis = backend === 'redis' ? await RedisServer.start() : undefined;
  if (redis) undo.push(() => redis.stop());
  const replicas = await startReplicas(backend);
  if (replicas) undo.push(() => replicas.stop());
  const redisUrl = redis?.url ?? replicas?.url;
  const twilio = await TwilioStandIn.start();
  undo.push(() => twilio.stop());

  const [secondTransactions = 0, ...free] = await freePorts(2 + PROXIED.length);
  const ports = perService((_, index) => free[index + 1] ?? 0);
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
  const environment = {
    DATABASE_URL: database.url,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ACCOUNTS_URL: proxies.accounts.url,
    TRANSACTIONS_URL: hasTwo
      ? `${proxies.transactions.url},http://127.0.0.1:${secondTransactions}`
      : proxies.transactions.url,
    PAYMENTS_URL: proxies.payments.url,
    NOTIFIER_URL: proxies.notifier.url,
    PUBLIC_URL: CALLBACK_BASE,
    ...twilio.variables,
    SMS_PER_PHONE_PER_DAY: SMS_CAP,
    SMS_PER_WHOLESALER_PER_MINUTE: SMS_CAP,
    ...variables,
  };
  const system = await startSystem({ ports: free, dataDir, env: environment });
  undo.push(() => system.dispose());
  return {
    system,
    database,
    redis,
    replicas,
    twilio,
    proxies,
    ports,
    secondTransactions,
    environment,
  };
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
