import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { environmentBeside } from '@fiado/chassis/testing/environment-beside';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { endProcess } from '@fiado/chassis/testing/end-process';
import { callTo, type Call } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import type { PaymentsService } from './service';

/** When a process is killed: with notices that are sent but not committed, or right after that. */
export type KillMoment = 'before the commit' | 'after the commit';

const WAITING_FOR_THE_LOCK = `
  SELECT FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'
     AND query LIKE 'INSERT INTO outbox%'`;
/** Of transactions that have written before, which the relay of the outbox has not. */
const WRITES_BEHIND_LOCKS = `
  SELECT DISTINCT relation FROM pg_locks JOIN pg_stat_activity USING (pid)
   WHERE datname = current_database() AND NOT granted AND backend_xid IS NOT NULL
     AND relation = ANY (SELECT ('payments.' || name)::regclass FROM unnest($1::text[]) name)
     AND mode = 'RowExclusiveLock'`;
const SENT = `SELECT FROM notices WHERE state = 'sent' AND decided_at = $1`;

/**
 * Runs payments in a process of its own, at that time and on the same database and queues, and ends
 * it with SIGKILL while it sends notices. At least one must be due.
 */
export async function killWhileItSends(
  payments: PaymentsService,
  { now, moment }: { now: Date; moment: KillMoment },
): Promise<void> {
  const found = moment === 'before the commit' ? WAITING_FOR_THE_LOCK : SENT;
  const values = moment === 'before the commit' ? [] : [now];
  await killWhen(payments, {
    now,
    // The job of a notice is written last: behind this lock its transaction waits for the kill.
    locked: moment === 'before the commit' ? ['outbox'] : [],
    isTime: async () => (await payments.rows(found, values)).length > 0,
  });
}

/**
 * Calls payments in a process of its own, on the same database and queues, and ends it with SIGKILL
 * before the changes of the calls are committed, or right after that.
 * @param locked for each change a table that it writes to, and none before it that is locked for another
 * @param isMade whether all changes are visible
 */
export async function killWhileItAnswers(
  payments: PaymentsService,
  {
    moment,
    locked,
    call,
    isMade,
  }: {
    moment: KillMoment;
    locked: string[];
    call: (send: Call) => Promise<unknown>;
    isMade: () => Promise<boolean>;
  },
): Promise<void> {
  await killWhen(payments, {
    now: new Date(),
    locked: moment === 'before the commit' ? locked : [],
    call,
    isTime:
      moment === 'after the commit'
        ? isMade
        : async () => (await payments.rows(WRITES_BEHIND_LOCKS, [locked])).length === locked.length,
  });
}

interface Kill {
  now: Date;
  /** Tables that nobody else can write to until the process is dead. */
  locked: string[];
  call?: (send: Call) => Promise<unknown>;
  isTime: () => Promise<boolean>;
}

async function killWhen(
  payments: PaymentsService,
  { now, locked, call, isTime }: Kill,
): Promise<void> {
  const owner = new Client({ connectionString: payments.ownerUrl });
  await owner.connect();
  let running: ChildProcess | undefined;
  let answer: Promise<unknown> | undefined;
  try {
    await owner.query('BEGIN');
    for (const table of locked) {
      await owner.query(`LOCK TABLE payments.${table} IN SHARE ROW EXCLUSIVE MODE`);
    }
    running = startProcess(payments, now);
    if (call !== undefined) {
      const [port] = (await once(running, 'message')) as [number];
      answer = call(callTo('payments', `http://127.0.0.1:${port}`)).catch(() => undefined);
    }
    await until('payments can be killed', isTime);
  } finally {
    if (running !== undefined) await endProcess(running);
    await owner.end();
    await answer;
  }
}

/** Payments in a process of its own, to which it is always that time, on the same database and queues. */
export function startProcess({ context }: PaymentsService, now: Date): ChildProcess {
  return spawn(process.execPath, [...RUN_SOURCES, join(__dirname, 'payments-at.ts')], {
    env: { ...environmentBeside('payments', context.config), NOW: now.toISOString() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
