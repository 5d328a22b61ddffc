import type { Db } from '@fiado/chassis/db/database';
import { query, queryNamed, queryRow } from '@fiado/chassis/db/query';
import { MAX_CHECKS, type VerificationState } from '@fiado/contracts/verification-rules';
import type { Order } from '../domain/order';
import type { Price } from '../domain/pricing';
import type { TransactionStatus } from '../domain/transaction-status';

/** A product line as its JSON leaves the database: times are ISO texts. */
export interface ProductLineView {
  id: string;
  externalSKU: string;
  name: string;
  quantity: number;
  createdAt: string;
  updatedAt: string;
}

/** A type with null, as a table has it, in place of undefined. */
type Stored<Type> = {
  [Field in keyof Type]: undefined extends Type[Field]
    ? Exclude<Type[Field], undefined> | null
    : Type[Field];
};

/** A transaction with all that a wholesaler may read of it. */
export interface TransactionView
  extends Stored<Omit<Order, 'products' | 'metadata'>>, Omit<Price, 'commissionCents'> {
  id: string;
  userId: string;
  status: TransactionStatus;
  movementDate: Date;
  paymentDueAt: Date;
  /** Null in orders of the release before: the installation's. */
  paymentTimeZone: string | null;
  products: ProductLineView[];
  /** JSON as it was sent. */
  metadata: string | null;
  wholesalerName: string;
}

const COLUMNS = `
         t.id, t.corner_store_id, t.user_id, t.status, t.wholesaler_transaction_id, t.movement_date,
         t.amount_cents, t.interest_cents, t.iva_cents, t.payment_due_at, t.payment_time_zone, t.delivery_date,
         t.metadata::text, wholesaler.name AS "wholesalerName",
         (SELECT json_agg(json_build_object(
                   'id', line.id, 'externalSKU', line.external_sku, 'name', line.name,
                   'quantity', line.quantity, 'createdAt', line.created_at,
                   'updatedAt', line.updated_at) ORDER BY line.position)
            FROM product_lines line WHERE line.transaction_id = t.id) AS products`;

const OF_WHOLESALER = `
    FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
   WHERE t.wholesaler_id = $1`;

const VIEW = `SELECT ${COLUMNS} ${OF_WHOLESALER}`;

/** A transaction of a wholesaler, by our id or by the wholesaler's id (the newest). */
export async function findTransactionView(
  db: Db,
  wholesalerId: string,
  id: { transactionId: string } | { wholesalerTransactionId: string },
): Promise<TransactionView | undefined> {
  const [name, column, value] =
    'transactionId' in id
      ? (['find-transaction', 'id', id.transactionId] as const)
      : (['find-order', 'wholesaler_transaction_id', id.wholesalerTransactionId] as const);
  const [row] = await queryNamed<TransactionView>(
    db,
    name,
    `${VIEW} AND t.${column} = $2 ORDER BY t.created_at DESC LIMIT 1`,
    [wholesalerId, value],
  );
  return row;
}

/** The confirmation of a transaction, and its code. */
export interface StoredVerification {
  verificationId: string;
  status: VerificationState['status'];
  /** SMS with the code. */
  sends: number;
  expiresAt: Date;
  /** How often the code may still be tried through the API; 0 if it is not valid any more. */
  checksLeft: number;
}

/** The confirmation of a transaction; undefined without one. */
export function findVerification(
  db: Db,
  transactionId: string,
): Promise<StoredVerification | undefined> {
  return queryRow<StoredVerification>(
    db,
    `SELECT verification.id AS "verificationId", verification.status, verification.sends,
            verification.expires_at,
            CASE WHEN verification.status = 'pending' AND verification.expires_at > now()
                  AND verification.phone_changes = customer.phone_changes
                 THEN $2 - verification.checks ELSE 0 END AS "checksLeft"
       FROM verifications verification
       JOIN transactions t ON t.id = verification.transaction_id
       JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE verification.transaction_id = $1`,
    [transactionId, MAX_CHECKS],
  );
}

export interface TransactionFilter {
  status: TransactionStatus | undefined;
  /** Created at or after. */
  from: Date | undefined;
  /** Created before. */
  to: Date | undefined;
}

const FILTERED = `
     AND ($2::text IS NULL OR t.status = $2)
     AND ($3::timestamptz IS NULL OR t.created_at >= $3)
     AND ($4::timestamptz IS NULL OR t.created_at < $4)`;

const filterValues = ({ status, from, to }: TransactionFilter): unknown[] => [
  status ?? null,
  from ?? null,
  to ?? null,
];

/**
 * A wholesaler's transactions, newest first.
 * @param cursor id of the last transaction of the page before
 */
export function listTransactionViews(
  db: Db,
  wholesalerId: string,
  {
    filter,
    cursor,
    limit,
  }: { filter: TransactionFilter; cursor: string | undefined; limit: number },
): Promise<TransactionView[]> {
  return query<TransactionView>(
    db,
    `${VIEW} ${FILTERED}
       AND ($5::uuid IS NULL OR (t.created_at, t.id) <
             (SELECT last.created_at, last.id FROM transactions last
               WHERE last.id = $5 AND last.wholesaler_id = $1))
     ORDER BY t.created_at DESC, t.id DESC LIMIT $6`,
    [wholesalerId, ...filterValues(filter), cursor ?? null, limit],
  );
}

/** A place in the list of changes: right after a transaction as it was when its page was read. */
export interface ChangePosition {
  /** ISO 8601 in UTC with microseconds, which a Date does not have. */
  updatedAt: string;
  id: string;
}

interface ListChanged {
  filter: TransactionFilter;
  updatedSince: Date;
  /** Where the page before ended. */
  after: ChangePosition | undefined;
  limit: number;
}

/** A wholesaler's transactions that were created or changed since a time, oldest change first. */
export function listChangedTransactionViews(
  db: Db,
  wholesalerId: string,
  { filter, updatedSince, after, limit }: ListChanged,
): Promise<(TransactionView & ChangePosition)[]> {
  return query<TransactionView & ChangePosition>(
    db,
    `SELECT ${COLUMNS},
            to_char(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt"
     ${OF_WHOLESALER} ${FILTERED}
       AND t.updated_at >= $5
       AND ($6::timestamptz IS NULL OR (t.updated_at, t.id) > ($6, $7::uuid))
     ORDER BY t.updated_at, t.id LIMIT $8`,
    [
      wholesalerId,
      ...filterValues(filter),
      updatedSince,
      after?.updatedAt ?? null,
      after?.id ?? null,
      limit,
    ],
  );
}
