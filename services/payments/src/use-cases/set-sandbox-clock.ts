import { query } from '@fiado/chassis/db/query';
import { ValidationError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { endOrders } from './end-orders';
import { detectDefaults } from './detect-defaults';

export interface PassedTime {
  now: Date;
  /** Orders that expired. */
  expired: number;
  /** Defaults that were opened. */
  opened: number;
  /** Corner stores that were left alone, because they are another wholesaler's too. */
  skipped: string[];
}

/**
 * Lets a wholesaler's orders see a later time, in a sandbox: orders that are expired by then
 * expire, and debts that are overdue by then go into default. No clock is changed.
 * @throws ValidationError for a moment that is not in the future
 * @throws AppError SERVICE_UNAVAILABLE when transactions cannot be reached
 */
export async function setSandboxClock(
  context: Context,
  { wholesalerId, now }: { wholesalerId: string; now: Date },
): Promise<PassedTime> {
  const past = await query(context.db, 'SELECT WHERE $1::timestamptz <= now()', [now]);
  if (past.length > 0) throw new ValidationError(['now must be a moment in the future']);

  const { ended, owed, skipped } = await endOrders(context, { wholesalerId, asOf: now });
  const transactionIds = owed.map(({ transactionId }) => transactionId);
  const { opened } = await detectDefaults(context, { asOf: now, transactionIds });
  return { now, expired: ended, opened, skipped };
}
