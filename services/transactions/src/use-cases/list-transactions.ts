import { isUUID } from 'class-validator';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { ValidationError } from '@fiado/contracts/errors';
import { pageOf } from '@fiado/contracts/page';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import {
  listChangedTransactionViews,
  listTransactionViews,
  type ChangePosition,
  type TransactionFilter,
  type TransactionView,
} from '../db/transaction-views.repository';

export interface ListTransactions {
  wholesalerId: string;
  filter: TransactionFilter;
  /** Changed at or after; without it the list is of all transactions, newest first. */
  updatedSince: Date | undefined;
  /** nextCursor of the page before, of a list of the same kind. */
  cursor: string | undefined;
  limit: number;
}

interface Page {
  page: TransactionView[];
  nextCursor: string | null;
}

/** @throws ValidationError for a cursor that no page of such a list ends with */
export function listTransactions(context: Context, list: ListTransactions): Promise<Page> {
  const { updatedSince, ...rest } = list;
  return updatedSince === undefined
    ? listNewest(context, rest)
    : listChanged(context, { ...rest, updatedSince });
}

async function listNewest(
  { db }: Context,
  { wholesalerId, filter, cursor, limit }: Omit<ListTransactions, 'updatedSince'>,
): Promise<Page> {
  if (cursor !== undefined && !isUUID(cursor)) throw unknownCursor();
  await requireCursor(db, cursor, 'transactions', { wholesaler_id: wholesalerId });
  const list = { filter, cursor, limit: limit + 1 };
  return pageOf(await listTransactionViews(db, wholesalerId, list), limit, ({ id }) => id);
}

/**
 * The cursor is a place in time, not a row: a row that changes moves to the end of the list, so it is
 * listed again, and the rows behind it stay where they are.
 */
async function listChanged(
  { db }: Context,
  { wholesalerId, filter, updatedSince, cursor, limit }: ListTransactions & { updatedSince: Date },
): Promise<Page> {
  const after = cursor === undefined ? undefined : positionOf(cursor);
  const list = { filter, updatedSince, after, limit: limit + 1 };
  const found = await listChangedTransactionViews(db, wholesalerId, list);
  return pageOf(found, limit, ({ updatedAt, id }) => `${updatedAt}_${id}`);
}

/** As Postgres writes it for the cursor: with microseconds, in UTC. */
const TIME_OF_CURSOR = /^(.{23})\d{3}Z$/;

function positionOf(cursor: string): ChangePosition {
  const [updatedAt = '', id = '', ...rest] = cursor.split('_');
  const toMilliseconds = TIME_OF_CURSOR.exec(updatedAt)?.[1];
  // Written back, since the parser also reads times that Postgres cannot, such as 24:00:00.000001.
  const isTime = momentWithOffset(updatedAt)?.toISOString() === `${toMilliseconds}Z`;
  if (!isTime || !isUUID(id) || rest.length > 0) throw unknownCursor();
  return { updatedAt, id };
}

const unknownCursor = (): ValidationError =>
  new ValidationError(['cursor must be nextCursor of an earlier page of the same list']);
