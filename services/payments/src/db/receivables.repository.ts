import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryNamed, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { TransactionDelivered } from '@fiado/contracts/jobs/transaction-delivered';
import { newId } from '@fiado/contracts/new-id';
import { OPEN_RECOVERIES } from './recoveries.repository';
import type { Outstanding } from '../domain/allocation';
import { DUE, dueDayOf, type Due } from '../domain/due-day';
import type { KnownReference } from '../domain/match-references';
import type { ReferenceKind } from '../domain/payment-reference';

/** A receivable with money still to pay, locked by the caller's database transaction. */
export interface OpenReceivable extends Outstanding {
  transactionId: string;
  cornerStoreId: string;
  version: number;
  inDefault: boolean;
}

/**
 * All that a user still owes, locked in id order. The user's credit balance is locked before it;
 * this second lock keeps out the default detection, which does not lock users.
 */
export function lockOpenReceivables(tx: Transaction, userId: string): Promise<OpenReceivable[]> {
  return queryNamed<OpenReceivable>(
    tx,
    'lock-open-receivables',
    `SELECT id, transaction_id, corner_store_id, version,
            due_at, in_default, interest_cents - paid_interest_cents AS "interestCents",
            iva_cents - paid_iva_cents AS "ivaCents",
            principal_cents - paid_principal_cents AS "principalCents"
       FROM receivables WHERE user_id = $1 AND paid_at IS NULL
      ORDER BY id FOR NO KEY UPDATE`,
    [userId],
  );
}

/**
 * Books the debt of a delivered transaction, with the first entry of its ledger.
 * @returns the receivable's id; undefined when it is booked already
 */
export async function insertReceivable(
  tx: Transaction,
  delivered: TransactionDelivered,
  { idFactura, installationZone }: { idFactura: string; installationZone: string },
): Promise<string | undefined> {
  const dueAt = new Date(delivered.dueAt);
  // An older event has neither: its due date is the end of a day of the installation.
  const { dueOn, timeZone } = dueDayOf(
    { dueAt, dueOn: delivered.dueOn ?? null, timeZone: delivered.timeZone ?? null },
    installationZone,
  );
  const [inserted] = await query<{ id: string }>(
    tx,
    `WITH receivable AS (
       INSERT INTO receivables
         (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
          principal_cents, interest_cents, iva_cents, due_at, due_on, time_zone, version)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1)
       ON CONFLICT (transaction_id) DO NOTHING
       RETURNING *
     )
     INSERT INTO receivable_entries
       (receivable_id, version, cause, principal_cents, interest_cents, iva_cents)
     SELECT id, version, 'opened', principal_cents, interest_cents, iva_cents FROM receivable
     RETURNING receivable_id AS id`,
    [
      newId(),
      delivered.transactionId,
      delivered.wholesalerId,
      delivered.cornerStoreId,
      delivered.userId,
      delivered.externalId,
      idFactura,
      delivered.principalCents,
      delivered.interestCents,
      delivered.ivaCents,
      dueAt,
      dueOn,
      timeZone,
    ],
  );
  return inserted?.id;
}

/** All that a user still owes, recoveries too, or for that receivable alone, in cents. */
export async function owedCentsOf(
  db: Db,
  userId: string,
  receivableId: string | null = null,
): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    db,
    `SELECT (coalesce(sum(principal_cents + interest_cents + iva_cents
               - paid_principal_cents - paid_interest_cents - paid_iva_cents), 0)
             + CASE WHEN $2::uuid IS NULL THEN ${OPEN_RECOVERIES('$1')} ELSE 0 END)::bigint AS cents
       FROM receivables
      WHERE user_id = $1 AND paid_at IS NULL AND ($2::uuid IS NULL OR id = $2)`,
    [userId, receivableId],
  );
  return cents;
}

/** Looks up the references that a typed text may mean. */
export function findReferences(
  db: Db,
  readings: Array<Pick<KnownReference, 'kind' | 'reference'>>,
): Promise<KnownReference[]> {
  const of = (kind: ReferenceKind) =>
    readings.filter((reading) => reading.kind === kind).map(({ reference }) => reference);
  return queryNamed<KnownReference>(
    db,
    'find-references',
    `SELECT 'idFactura' AS kind, id_factura AS reference, user_id,
            id AS "receivableId"
       FROM receivables WHERE id_factura = ANY($1::text[])
     UNION ALL
     SELECT 'numeroReferencia', numero_referencia, user_id, NULL
       FROM credit_balances WHERE numero_referencia = ANY($2::text[])`,
    [of('idFactura'), of('numeroReferencia')],
  );
}

/** Those of the transactions that have a receivable. */
export async function findTransactionsWithReceivable(
  db: Db,
  transactionIds: string[],
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    'SELECT transaction_id AS id FROM receivables WHERE transaction_id = ANY($1)',
    [transactionIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A receivable as its wholesaler asks for it. Amounts in cents. */
export interface ReceivableView extends Due {
  wholesalerId: string;
  idFactura: string;
  numeroReferencia: string;
  owedCents: number;
  paidCents: number;
  paidAt: Date | null;
  inDefault: boolean;
}

export function findReceivable(db: Db, transactionId: string): Promise<ReceivableView | undefined> {
  return queryRow<ReceivableView>(
    db,
    `SELECT r.wholesaler_id, r.id_factura,
            b.numero_referencia, r.principal_cents + r.interest_cents + r.iva_cents AS "owedCents",
            r.paid_principal_cents + r.paid_interest_cents + r.paid_iva_cents AS "paidCents",
            ${DUE}, r.paid_at, r.in_default
       FROM receivables r JOIN credit_balances b USING (user_id)
      WHERE r.transaction_id = $1`,
    [transactionId],
  );
}
