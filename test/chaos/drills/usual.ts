import { S3StandIn } from '@fiado/chassis/testing/s3-stand-in';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { pidOf } from '../../e2e/support/system';
import type { ChaosDatabase } from '../support/database';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import { statusesOf, type SteadyLoad } from '../support/steady-load';
import { uploadLoad } from '../support/upload-load';
import type { Drills, Fault, Ground } from './drill';

const TEN_MINUTES_MS = 600_000;
/** More than onboardings send on a busy day; each holds a request of accounts until its time-out. */
const UPLOADS_PER_SECOND = 4;

const FAULTS: Record<string, Fault> = {
  'Postgres restarted': {
    faultMs: 3_000,
    runbook: 'not-ready',
    inflict: async ({ deployment: { database } }) => {
      await database.stop('SIGINT');
      return () => database.start();
    },
  },
  'Postgres killed (SIGKILL)': {
    faultMs: 3_000,
    runbook: 'not-ready',
    inflict: async ({ deployment: { database } }) => {
      await database.stop('SIGKILL');
      return () => database.start();
    },
  },
  'Postgres read-only': {
    faultMs: 10_000,
    runbook: 'not-ready',
    inflict: async ({ deployment: { database } }) => {
      await database.becomeReadOnly();
      return () => database.becomeWritable();
    },
  },
  'All connections of Postgres taken': {
    faultMs: 10_000,
    runbook: 'database-connections',
    inflict: async ({ deployment: { database } }) => {
      const taken: Client[] = [];
      for (;;) {
        const client = new Client({ connectionString: database.url });
        client.on('error', () => undefined);
        try {
          await client.connect();
        } catch {
          break;
        }
        taken.push(client);
      }
      return async () => void (await Promise.all(taken.map((client) => client.end())));
    },
  },
  'A forgotten LOCK TABLE': {
    faultMs: 10_000,
    runbook: 'pool-exhausted',
    inflict: ({ deployment: { database } }) =>
      keepOpen(database.url, 'BEGIN; LOCK TABLE transactions.transactions'),
  },
  'An open transaction against vacuum': {
    faultMs: 20_000,
    runbook: 'slow',
    inflict: async ({ deployment: { database } }) => {
      const deadBefore = await deadRows(database);
      const end = await keepOpen(
        database.url,
        'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM transactions.outbox',
      );
      return async () => {
        const measured = [
          `dead rows before: ${deadBefore}; at its end: ${await deadRows(database)}`,
        ];
        await end();
        return { measured };
      };
    },
  },
  'One of two transactions frozen (SIGSTOP)': {
    faultMs: 20_000,
    runbook: 'process-down',
    inflict: async ({ deployment: { system } }) => {
      const pid = pidOf(system.supervisorPid, 'transactions');
      process.kill(pid, 'SIGSTOP');
      return async () => void process.kill(pid, 'SIGCONT');
    },
  },
  'One of two transactions killed': {
    faultMs: 3_000,
    runbook: 'process-down',
    inflict: async ({ deployment: { system } }) => {
      system.kill('transactions');
      return async () => undefined;
    },
  },
  'Redis restarted without its data': {
    faultMs: 3_000,
    runbook: 'jobs-stopped',
    inflict: async ({ deployment: { redis } }) => {
      await redis?.kill();
      return async () => redis?.launch();
    },
  },
  'Redis FLUSHALL': {
    faultMs: 1_000,
    runbook: 'redis-memory',
    inflict: async ({ deployment: { redis } }) => {
      await redis?.flush();
      return async () => undefined;
    },
  },
  'Redis full (maxmemory)': {
    faultMs: 10_000,
    runbook: 'redis-memory',
    inflict: async ({ deployment: { redis } }) => {
      await setMaxMemory(redis?.url, '1mb');
      return () => setMaxMemory(redis?.url, '0');
    },
  },
  'Twilio answers 500': {
    faultMs: 12_000,
    runbook: 'sms-unknown',
    inflict: async ({ deployment: { twilio } }) => {
      twilio.behaviours = [{ refuse: 500 }];
      return async () => void (twilio.behaviours = ['accept']);
    },
  },
  'Twilio hangs': {
    faultMs: 8_000,
    runbook: 'sms-unknown',
    inflict: async ({ deployment: { twilio } }) => {
      twilio.behaviours = ['accept-then-hang'];
      return async () => void (twilio.behaviours = ['accept']);
    },
  },
  'The clock of one of two transactions ten minutes ahead': {
    faultMs: 20_000,
    runbook: 'clock-skew',
    inflict: async ({ second }) => {
      second.turnClock();
      return async () => second.turnClock();
    },
  },
  'The S3 store hangs': {
    faultMs: 20_000,
    runbook: 'errors',
    inflict: async (ground) => {
      const { store, uploads } = ground as UsualGround;
      store.mode = 'hang';
      uploads.start(UPLOADS_PER_SECOND);
      return async () => {
        store.mode = 'work';
        await uploads.stop();
        const { sent } = uploads;
        const slowest = Math.max(0, ...sent.map(({ ms }) => ms)) / 1_000;
        const answers = `${sent.length} images: ${statusesOf(sent)}`;
        return { measured: [`${answers}; slowest ${slowest.toFixed(1)} s`] };
      };
    },
  },
};

export const usual: Drills = { open, faults: FAULTS };

interface UsualGround extends Ground {
  store: S3StandIn;
  uploads: SteadyLoad;
}

async function open(): Promise<UsualGround> {
  const store = await S3StandIn.start();
  const deployment = await startDeployment('redis', {
    variables: store.config,
    two: ['transactions'],
  });
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
    clockTurnMs: TEN_MINUTES_MS,
  });
  return {
    deployment,
    second,
    store,
    uploads: await uploadLoad(deployment),
    dispose: () => store.stop(),
  };
}

/** A session that runs statements as the owner and then forgets them. */
async function keepOpen(url: string, sql: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // ended by a time-out of the server
  await client.connect();
  await client.query(sql);
  return () => client.end();
}

async function setMaxMemory(url: string | undefined, bytes: string): Promise<void> {
  const client = new Redis(url ?? '');
  await client.config('SET', 'maxmemory', bytes);
  client.disconnect();
}

/** Of the tables that have the most, for a person. */
async function deadRows(database: ChaosDatabase): Promise<string> {
  const rows = await database.query<{ name: string; dead: string; size: string }>(
    `SELECT schemaname || '.' || relname AS name, n_dead_tup AS dead,
            pg_size_pretty(pg_total_relation_size(relid)) AS size
       FROM pg_stat_user_tables ORDER BY n_dead_tup DESC LIMIT 4`,
  );
  return rows.map(({ name, dead, size }) => `${name} ${dead} (${size})`).join(', ');
}
