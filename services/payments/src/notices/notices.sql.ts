import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { NoticeKind } from '@fiado/contracts/jobs/notify-corner-store';
import { isDisputed, laterDays } from '../debts/disputes';
import { OUTSTANDING } from '../debts/receivable';
import type { Deposit } from '../deposits/deposit';
import { OPEN_RECOVERIES } from '../payouts/recoveries.sql';

/** Notices that one round writes or decides on: some 100 ms. */
export const NOTICES_BATCH = 100;
/**
 * Reminders that one round writes. The look for them reads all debts that are due soon, tens of thousands
 * at the start of a day, so it takes many at once.
 */
const REMINDERS_BATCH = 2_000;
/** A reminder of a debt that was due longer ago is no reminder. */
const MAX_OVERDUE_DAYS = 30;
/** The day of payment, and the two before it: the last moment to pay is at the end of its day. */
const REMIND_DAYS = 3;

/** SQL of the kinds whose subject is a deposit. */
const OF_DEPOSITS = `'payment-received', 'payment-reversed'`;

interface NewNotice {
  kind: NoticeKind;
  /** The receivable, the deposit or the credit note. */
  subjectId: string;
  /** Unassignments of the deposit that the notice is about. */
  unassignments?: number;
  cornerStoreId: string;
  notBefore: Date;
}

/** Stores a notice for a store, once for each kind, subject and its assignment. */
export async function insertNotice(
  tx: Db,
  { kind, subjectId, unassignments = 0, cornerStoreId, notBefore }: NewNotice,
): Promise<void> {
  await query(
    tx,
    `INSERT INTO notices (kind, subject_id, unassignments, corner_store_id, not_before)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [kind, subjectId, unassignments, cornerStoreId, notBefore],
  );
}

/**
 * Drops the message about a payment that is taken back. Waits for an iteration that is sending it.
 * @returns whether it was dropped; otherwise the store got it
 */
export async function dropPaymentNotice(
  tx: Db,
  { id, unassignments }: Pick<Deposit, 'id' | 'unassignments'>,
  now: Date,
): Promise<boolean> {
  const dropped = await query(
    tx,
    `UPDATE notices SET state = 'dropped', decided_at = $3
      WHERE subject_id = $1 AND kind = 'payment-received' AND unassignments = $2
        AND state = 'waiting'
     RETURNING id`,
    [id, unassignments, now],
  );
  return dropped.length > 0;
}

/**
 * Stores reminders of debts that are due within two days or overdue, and not disputed. Notices that are due now are decided
 * first. It works on the state of rows: a missed round does no harm, and concurrent rounds write each
 * reminder once.
 * @returns how many were stored
 */
export async function insertReminders(db: Db, now: Date): Promise<number> {
  const remind = (kind: NoticeKind, isOpen: string) => `
    SELECT '${kind}' AS kind, r.id, r.corner_store_id, $1::timestamptz FROM receivables r
     WHERE ${isOpen} AND NOT ${isDisputed('r')}
       AND NOT EXISTS (SELECT FROM notices WHERE subject_id = r.id AND kind = '${kind}')
       -- Evaluated once: a round that has notices to decide on reads no debts.
       AND (SELECT count(*) FROM (SELECT FROM notices
              WHERE state = 'waiting' AND not_before <= $1::timestamptz
              LIMIT ${NOTICES_BATCH}) waiting) < ${NOTICES_BATCH}
     LIMIT ${REMINDERS_BATCH}`;
  const rows = await query(
    db,
    `INSERT INTO notices (kind, subject_id, corner_store_id, not_before)
     (${remind(
       'payment-due',
       `paid_at IS NULL AND NOT in_default AND due_at > $1::timestamptz
        AND due_at <= $1::timestamptz + interval '${REMIND_DAYS} days'`,
     )})
     UNION ALL
     (${remind(
       'payment-overdue',
       `in_default AND due_at > $1::timestamptz - interval '${MAX_OVERDUE_DAYS} days'`,
     )})
     ON CONFLICT DO NOTHING RETURNING id`,
    [now],
  );
  return rows.length;
}

/** A notice that waits, with the state of its subject. Amounts in cents. */
export interface WaitingNotice {
  id: string;
  kind: NoticeKind;
  cornerStoreId: string;
  /** The store's current time zone, for its contact hours; null: the installation's. */
  timeZone: string | null;
  /** The order or the deposit; null when it is gone. */
  subjectId: string | null;
  wholesalerId: string | null;
  numeroReferencia: string | null;
  dueAt: Date | null;
  dueOn: string | null;
  /** The debt's; null with the day in debts of the release before. */
  dueTimeZone: string | null;
  /** Days that disputes of its order add. */
  laterDays: number;
  /** Whether the store says that the order is not its own, and nobody has decided. */
  isDisputed: boolean;
  /**
   * The amount that the message names: of a receivable, what it still owes; of a credit note or a deposit, its amount;
   * 0 when a message about a deposit is no longer true.
   */
  amountCents: number;
  /** All that the user still owes. */
  leftCents: number;
  inDefault: boolean;
  /** Whether its owner wants no reminders. */
  opposes: boolean;
  /** Whether the store got or will soon get another message about the same debt within a day. */
  isToldAnyway: boolean;
  /** Notices that the store got in the last 24 hours. */
  sentToday: number;
}

/** Locks the notices that are due, and reads what they are about. */
export function lockDueNotices(tx: Db, now: Date): Promise<WaitingNotice[]> {
  return query<WaitingNotice>(
    tx,
    `WITH due AS (
       SELECT * FROM notices WHERE state = 'waiting' AND not_before <= $1
        ORDER BY not_before, id LIMIT ${NOTICES_BATCH} FOR UPDATE SKIP LOCKED
     )
     SELECT due.id, due.kind, due.corner_store_id AS "cornerStoreId",
            zone.time_zone AS "timeZone", coalesce(opposing.opposes, false) AS opposes,
            coalesce(r.transaction_id, d.id) AS "subjectId", r.wholesaler_id AS "wholesalerId",
            b.numero_referencia AS "numeroReferencia", r.due_at AS "dueAt",
            r.due_on::text AS "dueOn", r.time_zone AS "dueTimeZone",
            ${laterDays('r')} AS "laterDays", ${isDisputed('r')} AS "isDisputed",
            coalesce(-(credit.principal_cents + credit.interest_cents + credit.iva_cents),
                     r.outstanding_cents,
                     CASE WHEN (due.kind = 'payment-received')
                             = (d.status = 'applied' AND d.user_id = b.user_id
                                AND (d.unassignments = due.unassignments
                                     OR due.kind = 'payment-reversed'))
                          THEN d.valor_cents END, 0)::bigint
              AS "amountCents",
            (coalesce(owed.cents, 0) + ${OPEN_RECOVERIES('b.user_id')})::bigint AS "leftCents", coalesce(r.in_default, false) AS "inDefault",
            due.kind = 'payment-due' AND EXISTS (
              SELECT FROM notices told
               WHERE told.subject_id = due.subject_id AND told.kind = 'delivered'
                 AND (told.state = 'waiting' OR told.decided_at > $1::timestamptz - interval '1 day'))
              AS "isToldAnyway",
            (SELECT count(*) FROM notices sent
              WHERE sent.corner_store_id = due.corner_store_id AND sent.state = 'sent'
                AND sent.decided_at > $1::timestamptz - interval '1 day') AS "sentToday"
       FROM due
       LEFT JOIN store_time_zones zone USING (corner_store_id)
       LEFT JOIN opposing_stores opposing USING (corner_store_id)
       LEFT JOIN receivable_entries credit
         ON due.kind = 'order-credited' AND credit.credit_note_id = due.subject_id
       LEFT JOIN (SELECT *, ${OUTSTANDING} AS outstanding_cents FROM receivables) r
         ON r.id = coalesce(credit.receivable_id, due.subject_id) AND due.kind NOT IN (${OF_DEPOSITS})
       LEFT JOIN deposits d ON d.id = due.subject_id AND due.kind IN (${OF_DEPOSITS})
       LEFT JOIN credit_balances b ON b.corner_store_id = due.corner_store_id
       LEFT JOIN LATERAL (
         SELECT sum(${OUTSTANDING}) AS cents FROM receivables o
          WHERE o.user_id = b.user_id AND o.paid_at IS NULL
            AND (d.id IS NOT NULL OR due.kind = 'order-credited')) owed ON true
      ORDER BY due.not_before, due.id`,
    [now],
  );
}

/** Stores the time zone of a corner store, unless a newer one is stored. */
export async function recordTimeZone(
  db: Db,
  {
    cornerStoreId,
    timeZone,
    version,
  }: { cornerStoreId: string; timeZone: string; version: number },
): Promise<void> {
  await query(
    db,
    `INSERT INTO store_time_zones (corner_store_id, time_zone, version) VALUES ($1, $2, $3)
     ON CONFLICT (corner_store_id) DO UPDATE
       SET time_zone = excluded.time_zone, version = excluded.version
       WHERE store_time_zones.version < excluded.version`,
    [cornerStoreId, timeZone, version],
  );
}

/** Stores whether the owner of a corner store wants no reminders, unless something newer is stored. */
export async function recordOpposition(
  db: Db,
  { cornerStoreId, opposes, version }: { cornerStoreId: string; opposes: boolean; version: number },
): Promise<void> {
  await query(
    db,
    `INSERT INTO opposing_stores (corner_store_id, opposes, version) VALUES ($1, $2, $3)
     ON CONFLICT (corner_store_id) DO UPDATE
       SET opposes = excluded.opposes, version = excluded.version
       WHERE opposing_stores.version < excluded.version`,
    [cornerStoreId, opposes, version],
  );
}
