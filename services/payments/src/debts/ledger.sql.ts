import type { Transaction } from '@fiado/chassis/db/database';
import { oneByOne, query, queryNamed } from '@fiado/chassis/db/query';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/chassis/outbox/append';
import type { Outstanding, Payment } from './allocation.rules';

/** A locked receivable, with the amounts that are still to pay; all 0 if it is paid in full. */
export interface LockedReceivable extends Outstanding {
  userId: string;
  transactionId: string;
  cornerStoreId: string;
  version: number;
  inDefault: boolean;
  /** By the database's clock. */
  lockedAt: Date;
}

/** Columns of a LockedReceivable. */
const LOCKED_RECEIVABLE = `
  id, transaction_id, user_id, corner_store_id, version, due_at, in_default, now() AS locked_at,
  interest_cents - paid_interest_cents - credited_interest_cents AS "interestCents",
  iva_cents - paid_iva_cents - credited_iva_cents AS "ivaCents",
  principal_cents - paid_principal_cents - credited_principal_cents AS "principalCents"`;

/**
 * All that a user still owes, locked in id order. The user's credit balance is locked before it;
 * this second lock keeps out the default detection, which does not lock users.
 */
export function lockOpenReceivables(tx: Transaction, userId: string): Promise<LockedReceivable[]> {
  return queryNamed<LockedReceivable>(
    tx,
    'lock-open-receivables',
    `SELECT ${LOCKED_RECEIVABLE}
       FROM receivables WHERE user_id = $1 AND paid_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    [userId],
  );
}

/** Receivables that lose payments, locked in id order. The caller holds the lock of the user's credit balance. */
export function lockReceivables(
  tx: Transaction,
  receivableIds: string[],
): Promise<LockedReceivable[]> {
  return query<LockedReceivable>(
    tx,
    `SELECT ${LOCKED_RECEIVABLE}
       FROM receivables WHERE id = ANY ($1::uuid[])
      ORDER BY id FOR NO KEY UPDATE`,
    [receivableIds],
  );
}

/** A payment, and the deposit behind it: null for money of the credit balance. */
export interface PaymentOfDeposit extends Payment {
  depositId: string | null;
}

/** The payments that a deposit made on its user's receivables, less what was taken back, newest first. */
export function paymentsOfDeposit(
  tx: Transaction,
  userId: string,
  depositId: string,
): Promise<PaymentOfDeposit[]> {
  return query(tx, PAYMENTS_LEFT(OF_DEPOSIT), [userId, depositId]);
}

/** The payments that a user's credit balance made, in the same form. Reads every receivable of the user. */
export function paymentsOfBalance(tx: Transaction, userId: string): Promise<PaymentOfDeposit[]> {
  return query(tx, PAYMENTS_LEFT(OF_BALANCE), [userId]);
}

/** The payments of one receivable, less what was taken back, newest first. */
export function paymentsOfReceivable(
  tx: Transaction,
  receivableId: string,
): Promise<PaymentOfDeposit[]> {
  return query(tx, PAYMENTS_LEFT(OF_RECEIVABLE), [receivableId]);
}

const OF_DEPOSIT = `
  SELECT a.* FROM allocations a JOIN receivables r ON r.id = a.receivable_id
   WHERE r.user_id = $1 AND a.deposit_id = $2`;

/** OFFSET 0: each receivable is looked up by itself. A join would read the payments of all credit balances. */
const OF_BALANCE = `
  SELECT a.* FROM receivables r CROSS JOIN LATERAL (
    SELECT * FROM allocations WHERE receivable_id = r.id AND deposit_id IS NULL OFFSET 0) a
   WHERE r.user_id = $1`;

const OF_RECEIVABLE = 'SELECT * FROM allocations WHERE receivable_id = $1';

const PAYMENTS_LEFT = (allocations: string): string => `
     SELECT a.id AS "allocationId", a.receivable_id, a.deposit_id,
            -- Payments are negative in the ledger and reversals positive.
            -sum(e.interest_cents)::bigint AS "interestCents", -sum(e.iva_cents)::bigint AS "ivaCents",
            -sum(e.principal_cents)::bigint AS "principalCents"
       FROM (${allocations}) a JOIN receivable_entries e ON e.allocation_id = a.id
      GROUP BY a.id, a.receivable_id, a.deposit_id, a.created_at
     HAVING sum(e.interest_cents + e.iva_cents + e.principal_cents) <> 0
      ORDER BY a.created_at DESC, a.id`;

/** A payment or a reversal on one locked receivable, as stored. Amounts in cents. */
interface LedgerRow {
  receivableId: string;
  /** The version that it makes. */
  version: number;
  principalCents: number;
  interestCents: number;
  ivaCents: number;
}

export interface PaymentRow extends LedgerRow {
  id: string;
  /** Whether nothing remains to pay. */
  isPaid: boolean;
}

export interface ReversalRow extends LedgerRow {
  allocationId: string;
}

/** The deposit that pays, or null for money of a credit balance. */
export type PaymentSource = { id: string; unassignments: number } | null;

/**
 * SQL of when an entry of a locked receivable is booked: never before the entry that it follows. The
 * transaction of a payment may begin before that of the debt which it pays, and get the lock after it;
 * on the day of its beginning it would pay what nobody owed.
 */
const bookedAt = (row: string): string => `greatest(now(), (
         SELECT before.created_at FROM receivable_entries before
          WHERE before.receivable_id = ${row}."receivableId" ORDER BY before.version DESC LIMIT 1))
         AS booked_at`;

/** The fields of a LedgerRow as SQL: in a record of JSON, and as the columns of a CTE. */
const LEDGER_RECORD = `"receivableId" uuid, version bigint, "principalCents" bigint,
         "interestCents" bigint, "ivaCents" bigint`;
const LEDGER_COLUMNS = 'receivable_id, version, principal_cents, interest_cents, iva_cents';

/**
 * Writes payments of any number of receivables in one statement: one round trip under the locks.
 */
export async function writePayments(
  tx: Transaction,
  { source, rows, events }: { source: PaymentSource; rows: PaymentRow[]; events: OutboxRow[] },
): Promise<void> {
  await queryNamed(
    tx,
    'write-payments',
    `WITH payment (id, is_paid, ${LEDGER_COLUMNS}, booked_at) AS (
       SELECT *, ${bookedAt('row')}
         FROM jsonb_to_recordset($1::jsonb) AS row(id uuid, "isPaid" boolean, ${LEDGER_RECORD})
        WHERE ${oneByOne('row."receivableId"')}
     ),
     -- What is paid of each part; the table's CHECKs refuse more than is owed.
     paid AS (
       UPDATE receivables r
          SET paid_principal_cents = r.paid_principal_cents + p.principal_cents,
              paid_interest_cents = r.paid_interest_cents + p.interest_cents,
              paid_iva_cents = r.paid_iva_cents + p.iva_cents,
              version = p.version, paid_at = CASE WHEN p.is_paid THEN p.booked_at END,
              in_default = r.in_default AND NOT p.is_paid
         FROM payment p WHERE r.id = p.receivable_id
     ),
     -- A default ends with the payment of the last cent.
     closed AS (
       UPDATE payment_defaults d SET paid_at = greatest(p.booked_at, d.opened_at)
         FROM payment p
        WHERE d.receivable_id = p.receivable_id AND d.paid_at IS NULL AND p.is_paid
     ),
     -- Where the money came from: a deposit pays a receivable once until it is unassigned.
     allocated AS (
       INSERT INTO allocations
         (id, deposit_id, unassignments, receivable_id, principal_cents, interest_cents, iva_cents)
       SELECT id, $2, $4, receivable_id, principal_cents, interest_cents, iva_cents FROM payment
     ),
     -- The ledger: negative, for it lowers what is outstanding.
     entered AS (
       INSERT INTO receivable_entries
         (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents,
          created_at)
       SELECT receivable_id, version, 'payment', id, -principal_cents, -interest_cents, -iva_cents,
              booked_at
         FROM payment
     )
     -- And its events.
     INSERT INTO outbox (${OUTBOX_COLUMNS})
     SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset($3::jsonb) AS job(${OUTBOX_RECORD})`,
    [JSON.stringify(rows), source?.id, JSON.stringify(events), source?.unassignments ?? 0],
  );
}

/** Writes reversals of any number of receivables and their events in one statement. */
export async function writeReversals(
  tx: Transaction,
  rows: ReversalRow[],
  events: OutboxRow[],
): Promise<void> {
  await query(
    tx,
    `WITH reversal (allocation_id, ${LEDGER_COLUMNS}, booked_at) AS (
       SELECT *, ${bookedAt('row')}
         FROM jsonb_to_recordset($1::jsonb) AS row("allocationId" uuid, ${LEDGER_RECORD})
     ),
     -- A receivable may lose what the deposit paid and what its surplus paid: one update for both.
     reopened AS (
       UPDATE receivables r
          SET paid_principal_cents = r.paid_principal_cents - lost.principal_cents,
              paid_interest_cents = r.paid_interest_cents - lost.interest_cents,
              paid_iva_cents = r.paid_iva_cents - lost.iva_cents,
              version = lost.version, paid_at = NULL
         FROM (SELECT receivable_id, max(version) AS version,
                      sum(principal_cents)::bigint AS principal_cents,
                      sum(interest_cents)::bigint AS interest_cents,
                      sum(iva_cents)::bigint AS iva_cents
                 FROM reversal GROUP BY receivable_id) lost
        WHERE r.id = lost.receivable_id
     ),
     entered AS (
       INSERT INTO receivable_entries
         (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents,
          created_at)
       SELECT receivable_id, version, 'reversal', allocation_id, principal_cents, interest_cents,
              iva_cents, booked_at
         FROM reversal
     )
     INSERT INTO outbox (${OUTBOX_COLUMNS})
     SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset($2::jsonb) AS job(${OUTBOX_RECORD})`,
    [JSON.stringify(rows), JSON.stringify(events)],
  );
}

/** The debt of an order, locked. The caller holds the lock of its user's credit balance. */
export async function lockReceivableOf(
  tx: Transaction,
  transactionId: string,
): Promise<LockedReceivable & { paidAt: Date | null }> {
  const [row] = await query<LockedReceivable & { paidAt: Date | null }>(
    tx,
    `SELECT ${LOCKED_RECEIVABLE}, paid_at FROM receivables
      WHERE transaction_id = $1 FOR NO KEY UPDATE`,
    [transactionId],
  );
  if (row === undefined) throw new Error('A receivable is never deleted');
  return row;
}

/** $1: the note, $2: the reversals, $3: whether nothing is owed, $4: the note's id, $5: the jobs. */
const WRITE_CREDIT = `
  WITH note (${LEDGER_COLUMNS}, booked_at) AS (
     SELECT *, ${bookedAt('row')} FROM jsonb_to_record($1::jsonb) AS row(${LEDGER_RECORD})
   ),
   reversal (allocation_id, ${LEDGER_COLUMNS}, booked_at) AS (
     SELECT *, ${bookedAt('row')}
       FROM jsonb_to_recordset($2::jsonb) AS row("allocationId" uuid, ${LEDGER_RECORD})
   ),
   lost AS (
     SELECT coalesce(sum(principal_cents), 0) AS principal_cents,
            coalesce(sum(interest_cents), 0) AS interest_cents,
            coalesce(sum(iva_cents), 0) AS iva_cents, count(*) AS rows
       FROM reversal
   ),
   credited AS (
     UPDATE receivables r
        SET credited_principal_cents = r.credited_principal_cents + note.principal_cents,
            credited_interest_cents = r.credited_interest_cents + note.interest_cents,
            credited_iva_cents = r.credited_iva_cents + note.iva_cents,
            paid_principal_cents = r.paid_principal_cents - lost.principal_cents,
            paid_interest_cents = r.paid_interest_cents - lost.interest_cents,
            paid_iva_cents = r.paid_iva_cents - lost.iva_cents,
            version = note.version + lost.rows,
            paid_at = CASE WHEN $3::boolean THEN coalesce(r.paid_at, note.booked_at) END,
            in_default = r.in_default AND NOT $3::boolean
       FROM note, lost WHERE r.id = note.receivable_id
   ),
   -- A default ends when nothing is owed.
   closed AS (
     UPDATE payment_defaults d SET paid_at = greatest(note.booked_at, d.opened_at)
       FROM note
      WHERE d.receivable_id = note.receivable_id AND d.paid_at IS NULL AND $3::boolean
   ),
   -- The ledger: a credit lowers what is outstanding, a reversal raises it.
   entered AS (
     INSERT INTO receivable_entries
       (receivable_id, version, cause, allocation_id, credit_note_id, principal_cents,
        interest_cents, iva_cents, created_at)
     SELECT receivable_id, version, 'credit', NULL, $4::uuid, -principal_cents, -interest_cents,
            -iva_cents, booked_at
       FROM note
     UNION ALL
     SELECT receivable_id, version, 'reversal', allocation_id, NULL, principal_cents,
            interest_cents, iva_cents, booked_at
       FROM reversal
   )
   INSERT INTO outbox (${OUTBOX_COLUMNS})
   SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset($5::jsonb) AS job(${OUTBOX_RECORD})`;

/**
 * Writes a credit note on a receivable, the payments that it takes back, and its events, in one
 * statement. The note's row has the version after the receivable's, and each reversal the next.
 */
export async function writeCredit(
  tx: Transaction,
  {
    note,
    creditNoteId,
    reversals,
    isPaid,
    events,
  }: {
    note: LedgerRow;
    creditNoteId: string;
    reversals: ReversalRow[];
    /** Whether nothing is owed. */
    isPaid: boolean;
    events: OutboxRow[];
  },
): Promise<void> {
  await query(tx, WRITE_CREDIT, [
    JSON.stringify(note),
    JSON.stringify(reversals),
    isPaid,
    creditNoteId,
    JSON.stringify(events),
  ]);
}
