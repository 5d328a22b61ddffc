import { Client } from 'pg';
import { Redis } from 'ioredis';
import { pidOf } from '../../e2e/support/system';
import type { Deployment } from './deployment';

export interface Drill {
  /** How long the fault lasts. */
  faultMs: number;
  /** The alert that would fire if it lasted, by its page in docs/operations; none where nobody must do anything. */
  runbook: string;
  /** @returns ends the fault */
  inflict: (deployment: Deployment) => Promise<() => Promise<unknown>>;
}

/** The faults of `npm run drill`, by their names in docs/operations/drills.md. */
export const DRILLS: Record<string, Drill> = {
  'Postgres restarted': {
    faultMs: 3_000,
    runbook: 'not-ready',
    inflict: async ({ database }) => {
      await database.stop('SIGINT');
      return () => database.start();
    },
  },
  'Postgres killed (SIGKILL)': {
    faultMs: 3_000,
    runbook: 'not-ready',
    inflict: async ({ database }) => {
      await database.stop('SIGKILL');
      return () => database.start();
    },
  },
  'Postgres read-only': {
    faultMs: 10_000,
    runbook: 'not-ready',
    inflict: async ({ database }) => {
      await database.becomeReadOnly();
      return () => database.becomeWritable();
    },
  },
  'All connections of Postgres taken': {
    faultMs: 10_000,
    runbook: 'database-connections',
    inflict: async ({ database }) => {
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
      return () => Promise.all(taken.map((client) => client.end()));
    },
  },
  'A forgotten LOCK TABLE': {
    faultMs: 10_000,
    runbook: 'pool-exhausted',
    inflict: ({ database }) =>
      keepOpen(database.url, 'BEGIN; LOCK TABLE transactions.transactions'),
  },
  'An open transaction against vacuum': {
    faultMs: 20_000,
    runbook: 'slow',
    inflict: ({ database }) =>
      keepOpen(
        database.url,
        'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM transactions.outbox',
      ),
  },
  'One of two transactions frozen (SIGSTOP)': {
    faultMs: 20_000,
    runbook: 'process-down',
    inflict: async ({ system }) => {
      const pid = pidOf(system.supervisorPid, 'transactions');
      process.kill(pid, 'SIGSTOP');
      return async () => process.kill(pid, 'SIGCONT');
    },
  },
  'One of two transactions killed': {
    faultMs: 3_000,
    runbook: 'process-down',
    inflict: async ({ system }) => {
      system.kill('transactions');
      return async () => undefined;
    },
  },
  'Redis restarted without its data': {
    faultMs: 3_000,
    runbook: 'jobs-stopped',
    inflict: async ({ redis }) => {
      await redis?.kill();
      return async () => redis?.launch();
    },
  },
  'Redis FLUSHALL': {
    faultMs: 1_000,
    runbook: 'redis-memory',
    inflict: async ({ redis }) => {
      await redis?.flush();
      return async () => undefined;
    },
  },
  'Redis full (maxmemory)': {
    faultMs: 10_000,
    runbook: 'redis-memory',
    inflict: async ({ redis }) => {
      await setMaxMemory(redis?.url, '1mb');
      return () => setMaxMemory(redis?.url, '0');
    },
  },
  'Twilio answers 500': {
    faultMs: 12_000,
    runbook: 'sms-unknown',
    inflict: async ({ twilio }) => {
      twilio.behaviours = [{ refuse: 500 }];
      return async () => (twilio.behaviours = ['accept']);
    },
  },
  'Twilio hangs': {
    faultMs: 8_000,
    runbook: 'sms-unknown',
    inflict: async ({ twilio }) => {
      twilio.behaviours = ['accept-then-hang'];
      return async () => (twilio.behaviours = ['accept']);
    },
  },
};

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
