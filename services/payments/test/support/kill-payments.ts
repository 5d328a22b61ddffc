import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { testKeyVariables } from '@fiado/shared/testing/process-keys';
import { RUN_SOURCES } from '@fiado/shared/testing/run-sources';
import { TEST_ENVIRONMENT } from '@fiado/shared/testing/service';
import { until } from '@fiado/shared/testing/until';
import type { PaymentsService } from './service';

/** When a process is killed: with notices that are sent but not committed, or right after that. */
export type KillMoment = 'before the commit' | 'after the commit';

const WAITING_FOR_THE_LOCK = `
  SELECT FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'
     AND query LIKE 'INSERT INTO outbox%'`;
const SENT = `SELECT FROM notices WHERE state = 'sent' AND decided_at = $1`;

/**
 * Runs payments in a process of its own, at that time and on the same database and queues, and ends
 * it with SIGKILL while it sends notices. At least one must be due.
 */
export async function killWhileItSends(
  payments: PaymentsService,
  { now, moment }: { now: Date; moment: KillMoment },
): Promise<void> {
  const owner = new Client({ connectionString: payments.ownerUrl });
  await owner.connect();
  let running: ChildProcess | undefined;
  try {
    // The job of a notice is written last: behind this lock its transaction waits for the kill.
    await owner.query('BEGIN');
    if (moment === 'before the commit') {
      await owner.query('LOCK TABLE payments.outbox IN SHARE ROW EXCLUSIVE MODE');
    }
    running = startProcess(payments, now);
    const found = moment === 'before the commit' ? WAITING_FOR_THE_LOCK : SENT;
    await until(`payments sends notices, ${moment}`, async () => {
      const values = moment === 'before the commit' ? [] : [now];
      return (await payments.rows(found, values)).length > 0;
    });
  } finally {
    running?.kill('SIGKILL');
    if (running !== undefined) await once(running, 'exit');
    await owner.end();
  }
}

function startProcess({ context }: PaymentsService, now: Date): ChildProcess {
  const { DATABASE_URL, QUEUES_DATABASE_URL, PREPARED_STATEMENTS, REDIS_URL, QUEUE_PREFIX } =
    context.config;
  const stores = {
    DATABASE_URL,
    PREPARED_STATEMENTS,
    QUEUE_PREFIX,
    ...(QUEUES_DATABASE_URL === undefined ? {} : { QUEUES_DATABASE_URL }),
    ...(REDIS_URL === undefined ? {} : { REDIS_URL }),
  };
  return spawn(process.execPath, [...RUN_SOURCES, join(__dirname, 'payments-at.ts')], {
    env: {
      PATH: process.env.PATH,
      ...TEST_ENVIRONMENT,
      ...testKeyVariables('payments'),
      ...stores,
      NOW: now.toISOString(),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
