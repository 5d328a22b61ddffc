import { query } from '@fiado/shared/chassis/db/query';
import type { Context } from '../context';
import { releaseTransaction } from './release-transaction';

/** Orders given up in one round: each is a short database transaction of its own. */
const BATCH_SIZE = 100;

/**
 * Gives up the orders that nobody confirmed for 24 hours, or nobody delivered for 30 days. By state,
 * on the database's clock: a round that did not run is made up by the next.
 * @returns true when there may be more
 */
export async function expireTransactions(context: Context): Promise<boolean> {
  const due = await query<{ id: string; status: 'pending-verification' | 'on-hold' }>(
    context.db,
    `SELECT id, status FROM transactions
      WHERE status IN ('pending-verification', 'on-hold') AND expires_at <= now()
      ORDER BY expires_at LIMIT $1`,
    [BATCH_SIZE],
  );
  for (const { id, status } of due) {
    await context.db.transaction((tx) =>
      // From the state that expired: an order confirmed meanwhile has a new, later end.
      releaseTransaction(tx, { transactionId: id, from: [status], to: 'expired' }),
    );
  }
  if (due.length > 0) context.log.info({ transactions: due.length }, 'orders expired');
  return due.length === BATCH_SIZE;
}
