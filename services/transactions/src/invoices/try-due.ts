import { query } from '@fiado/chassis/db/query';
import { guardRow } from '@fiado/chassis/loop';
import { claimInTurns, room } from '@fiado/chassis/row-jobs/claim-rows.sql';
import type { Context } from '../context';

/** Longer than a call to the provider may take, in seconds. After this time the worker that claimed a row counts as crashed. */
export const CLAIM_SECONDS = 60;

/** Rows of one iteration. They are tried concurrently, and a provider limits its rate. */
const BATCH_SIZE = 10;

/** A row that this process alone tries. Its attempts have this one. */
export type Claimed<Row> = Row & {
  /** Whether the provider may have it, because the outcome of an earlier attempt is unknown. */
  mayAlreadyExist: boolean;
  now: Date;
};

/** What a loop claims of a table of documents that wait for their provider. */
interface Due<Row> {
  loop: string;
  table: 'invoices' | 'tax_documents';
  /** SQL: whether a row waits for the provider. */
  waiting: string;
  /** SQL: further columns. */
  more?: string;
  attempt: (context: Context, row: Row) => Promise<void>;
}

/**
 * Tries the rows whose attempt is due, by the database's clock; wholesalers take turns.
 * @returns a round of the loop, which answers true when there may be more
 */
export function tryDue<Row extends { id: string }>({
  loop,
  table,
  waiting,
  more = '',
  attempt,
}: Due<Row>): (context: Context) => Promise<boolean> {
  const claim = claimInTurns({
    table,
    tenant: 'wholesaler_id',
    waiting: `(${waiting})`,
    set: `attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $5), may_exist = true`,
    returning: `${table}.*, now() ${more},
      (SELECT earlier.may_exist FROM ${table} earlier WHERE earlier.id = ${table}.id) AS "mayAlreadyExist"`,
  });
  return async (context) => {
    const { db, log } = context;
    const places = room({ free: BATCH_SIZE, perTenant: BATCH_SIZE, busy: new Map() });
    const claimed = await query<Row>(db, claim, [...places, CLAIM_SECONDS]);
    await Promise.all(
      claimed.map((row) =>
        guardRow(loop, { log, documentId: row.id }, () => attempt(context, row)),
      ),
    );
    return claimed.length === BATCH_SIZE;
  };
}
