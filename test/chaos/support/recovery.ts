import { waitFor } from '../../e2e/support/api';
import type { ChaosDatabase } from './database';
import { countBacklog } from './settle';

const FIRST_WORK = `
  SELECT EXTRACT(EPOCH FROM min(at)) * 1000 AS at FROM (
    SELECT received_at AS at FROM accounts.inbox UNION ALL
    SELECT received_at FROM transactions.inbox UNION ALL
    SELECT received_at FROM payments.inbox UNION ALL
    SELECT created_at FROM notifier.messages) AS effect
   WHERE at > to_timestamp($1)`;

/** @returns when the first job had its effect after a moment, both in milliseconds */
export async function firstWorkAt(database: ChaosDatabase, after: number): Promise<number> {
  return waitFor(async () => {
    const [row] = await database.query<{ at: string | null }>(FIRST_WORK, [after / 1_000]);
    return row?.at === null || row === undefined ? undefined : Number(row.at);
  });
}

/** @returns how many milliseconds after the moment its backlog was gone, or the time was over */
export async function drained(
  database: ChaosDatabase,
  moment: number,
  deadlineMs: number,
): Promise<number> {
  await waitFor(
    async () => (await countBacklog(database, moment)) === 0 || undefined,
    deadlineMs,
  ).catch(() => undefined); // longer than any bar: a violation, with a record of the run
  return Date.now() - moment;
}
