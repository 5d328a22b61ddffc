import { query } from '@fiado/chassis/db/query';
import { guardRow, Loop } from '@fiado/chassis/loop';
import type { Context } from '../context';
import { releaseOrder } from './release-order';

const EXPIRY_LOOP = 'expire transactions';
/** How often orders expire. Seconds do not matter. */
const EXPIRE_EVERY_MS = 30_000;
/** Orders of one round: each is a short database transaction of its own. */
const BATCH_SIZE = 100;

/** Goes on with the next page of expired orders, or begins again at the end. */
export function expiryLoop(context: Context): Loop {
  let after: ExpiryCursor | undefined;
  return new Loop(context.log, {
    name: EXPIRY_LOOP,
    everyMs: EXPIRE_EVERY_MS,
    round: async () => {
      after = await expireOrders(context, after);
      return after !== undefined;
    },
  });
}

/** The last order of a page: the next page begins after it. */
interface ExpiryCursor {
  id: string;
  /** As text: a Date would cut the microseconds off. */
  expiresAt: string;
}

type DueOrder = ExpiryCursor & { status: 'pending-verification' | 'on-hold' };

/**
 * Expires the orders that nobody confirmed for 24 hours, or nobody delivered for 30 days. It works
 * on the state of rows and the database's clock, so a missed iteration does no harm. An order that
 * cannot expire is skipped and tried again in the next pass.
 * @returns where the next page begins; undefined at the end
 */
export async function expireOrders(
  context: Context,
  after?: ExpiryCursor,
): Promise<ExpiryCursor | undefined> {
  const due = await findDue(context, after);
  let expired = 0;
  for (const { id, status } of due) {
    const release = () =>
      context.db.transaction((tx) =>
        // Only from the status that expired: an order that was confirmed meanwhile has a later
        // expiry.
        releaseOrder(tx, { transactionId: id, from: [status], to: 'expired' }),
      );
    if (await guardRow(EXPIRY_LOOP, { log: context.log, transactionId: id }, release)) expired += 1;
  }
  if (expired > 0) context.log.info({ transactions: expired }, 'orders expired');
  return due.length === BATCH_SIZE ? due.at(-1) : undefined;
}

function findDue(context: Context, after: ExpiryCursor | undefined): Promise<DueOrder[]> {
  return query<DueOrder>(
    context.db,
    `SELECT id, status, expires_at::text AS "expiresAt" FROM transactions
      WHERE status IN ('pending-verification', 'on-hold') AND expires_at <= now()
        AND ($1::timestamptz IS NULL OR (expires_at, id) > ($1, $2::uuid))
      ORDER BY expires_at, id LIMIT $3`,
    [after?.expiresAt, after?.id, BATCH_SIZE],
  );
}
