import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { TransactionStatus } from '../domain/transaction-status';

/** SQL of the row `customer`. */
export const IS_PHONE_HELD = 'coalesce(customer.phone_held_until > now(), false) AS "isPhoneHeld"';

/** A transaction with what its messages need: the wholesaler's name and the sealed phone. */
export interface TransactionToConfirm {
  id: string;
  wholesalerId: string;
  cornerStoreId: string;
  now: Date;
  createdAt: Date;
  deliveryDate: Date | null;
  status: TransactionStatus;
  amountCents: number;
  wholesalerName: string;
  deliveryWordEnabled: boolean;
  phoneSealed: Buffer;
  /** null when the transaction has no verification of the asked id. */
  verificationId: string | null;
  /** Times that the wholesaler changed the phone, and whether it did since the code was sent. */
  phoneChanges: number;
  codeIsVoid: boolean;
  /** Whether the wholesaler's orders are held because it changed the phone lately. */
  isPhoneHeld: boolean;
}

/** A wholesaler's own transaction, and whether that verification is its. */
export function findTransactionToConfirm(
  db: Db,
  { wholesalerId, transactionId, verificationId }: ConfirmationIds,
): Promise<TransactionToConfirm | undefined> {
  return queryRow<TransactionToConfirm>(
    db,
    `SELECT t.id, t.wholesaler_id, t.corner_store_id, now(), t.status,
            t.created_at, t.delivery_date, t.amount_cents, wholesaler.name AS "wholesalerName",
            wholesaler.delivery_word_enabled, line.phone_sealed,
            verification.id AS "verificationId", customer.phone_changes,
            coalesce(verification.phone_changes <> customer.phone_changes, false) AS "codeIsVoid",
            ${IS_PHONE_HELD}
       FROM transactions t
       JOIN wholesalers wholesaler USING (wholesaler_id)
       JOIN credit_lines line USING (corner_store_id)
       JOIN customers customer USING (wholesaler_id, corner_store_id)
       LEFT JOIN verifications verification
         ON verification.transaction_id = t.id AND verification.id = $3
      WHERE t.id = $1 AND t.wholesaler_id = $2`,
    [transactionId, wholesalerId, verificationId],
  );
}

export interface ConfirmationIds {
  wholesalerId: string;
  transactionId: string;
  verificationId: string;
}

/** A transaction, and what its delivery needs of its customer and its wholesaler. */
export interface TransactionWithTerms {
  id: string;
  version: number;
  status: TransactionStatus;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  amountCents: number;
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  wholesalerName: string;
  /** The terms that the order was made with; of an order of the release before, the settings now. */
  paymentTermDays: number;
  deliveryOverageRate: string;
  /** Null in orders of the release before: the installation's. */
  paymentTimeZone: string | null;
  /** Only where the wholesaler has words on, and only when this transaction has one. */
  deliveryWordRequired: boolean;
  phoneSealed: Buffer;
  /** Times that the wholesaler changed the phone, and whether its orders are held for it. */
  phoneChanges: number;
  isPhoneHeld: boolean;
  now: Date;
}

/** The wholesaler of a transaction; undefined if there is none with this id. */
export async function findWholesalerOf(db: Db, transactionId: string): Promise<string | undefined> {
  const [row] = await query<{ wholesalerId: string }>(
    db,
    'SELECT wholesaler_id FROM transactions WHERE id = $1',
    [transactionId],
  );
  return row?.wholesalerId;
}

/** A transaction of the wholesaler. */
export function findTransaction(
  db: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<TransactionWithTerms | undefined> {
  return selectToDeliver(db, '', [transactionId, wholesalerId]);
}

/** The same with its row locked until the database transaction ends. */
export function lockTransaction(
  tx: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<TransactionWithTerms | undefined> {
  return selectToDeliver(tx, 'FOR UPDATE OF t', [transactionId, wholesalerId]);
}

/** Locks the row of an order until the database transaction ends. */
export async function lockTransactionRow(tx: Db, transactionId: string): Promise<void> {
  await query(tx, 'SELECT FROM transactions WHERE id = $1 FOR NO KEY UPDATE', [transactionId]);
}

async function selectToDeliver(
  db: Db,
  lock: '' | 'FOR UPDATE OF t',
  ids: [transactionId: string, wholesalerId: string],
): Promise<TransactionWithTerms | undefined> {
  const [row] = await query<TransactionWithTerms>(
    db,
    `SELECT t.id, t.version, t.status, t.wholesaler_id,
            t.corner_store_id, t.user_id, customer.external_id, t.amount_cents, t.interest_rate,
            t.iva_rate, t.commission_rate, wholesaler.name AS "wholesalerName",
            coalesce(t.payment_term_days, wholesaler.payment_term_days) AS "paymentTermDays",
            coalesce(t.delivery_overage_rate, wholesaler.delivery_overage_rate)
              AS "deliveryOverageRate", t.payment_time_zone,
            wholesaler.delivery_word_required AND wholesaler.delivery_word_enabled
              AND EXISTS (SELECT FROM delivery_words word WHERE word.transaction_id = t.id)
              AS "deliveryWordRequired",
            line.phone_sealed, customer.phone_changes, ${IS_PHONE_HELD}, now()
       FROM transactions t
       JOIN wholesalers wholesaler USING (wholesaler_id)
       JOIN credit_lines line USING (corner_store_id)
       JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE t.id = $1 AND t.wholesaler_id = $2 ${lock}`,
    ids,
  );
  return row;
}

/**
 * Changes what a line has used and writes the ledger's row of it, in one statement.
 * @returns false if the limit does not allow an increase, or the store may not buy: nothing was
 *   changed
 */
export async function changeUsedCredit(
  tx: Db,
  change: {
    cornerStoreId: string;
    transactionId: string;
    kind: 'adjustment' | 'release' | 'repayment' | 'reversal';
    amountCents: number;
    causeId?: string;
    /** Only a hold may be refused, because payments and reversals have already happened. */
    withinLimit: boolean;
  },
): Promise<boolean> {
  const rows = await query(
    tx,
    `WITH line AS (
       UPDATE credit_lines SET used_cents = used_cents + $2::bigint
        WHERE corner_store_id = $1
          AND (NOT $3::boolean
               OR status = 'approved' AND NOT overdue AND used_cents + $2::bigint <= limit_cents)
       RETURNING corner_store_id
     )
     INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents, cause_id)
     SELECT corner_store_id, $4::uuid, $5::text, $2::bigint, $6::uuid FROM line
     RETURNING id`,
    [
      change.cornerStoreId,
      change.amountCents,
      change.withinLimit && change.amountCents > 0,
      change.transactionId,
      change.kind,
      change.causeId ?? null,
    ],
  );
  return rows.length === 1;
}

/** Which of these order ids the wholesaler has live already. */
export async function findLiveOrders(
  db: Db,
  wholesalerId: string,
  orders: string[],
): Promise<Set<string>> {
  const rows = await query<{ order: string }>(
    db,
    `SELECT wholesaler_transaction_id AS "order" FROM transactions
      WHERE wholesaler_id = $1 AND wholesaler_transaction_id = ANY($2::text[])
        AND status NOT IN ('cancelled', 'expired')`,
    [wholesalerId, orders],
  );
  return new Set(rows.map((row) => row.order));
}
