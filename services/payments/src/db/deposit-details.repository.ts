import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { PENDING_CHANGE, type DepositView } from './deposits.repository';
import { OPS_RECEIVABLE, OUTSTANDING, type OpsReceivable } from './ops-receivables.repository';

/** A deposit with whose debt it paid, and how much of it that debt left over. */
export interface DepositDetail extends DepositView {
  /** fechaPago in the provider's time zone. */
  paidAt: Date;
  userId: string | null;
  cornerStoreId: string | null;
  /** What went to the credit balance of the user, in cents. */
  surplusCents: number;
  pendingChange: PendingChange | null;
}

export function findDepositDetail(db: Db, depositId: string): Promise<DepositDetail | undefined> {
  return queryRow<DepositDetail>(
    db,
    `SELECT deposits.id, provider_name, id_factura, deposits.numero_referencia, valor_cents,
            fecha_pago, clave_de_pago, status, unmatched_reason, received_at, paid_at,
            deposits.user_id, balance.corner_store_id, ${PENDING_CHANGE},
            (SELECT coalesce(sum(entry.cents), 0) FROM credit_balance_entries entry
              WHERE entry.user_id = deposits.user_id AND entry.deposit_id = deposits.id
                AND entry.cause IN ('surplus', 'unassigned'))::bigint AS surplus_cents
       FROM deposits LEFT JOIN credit_balances balance USING (user_id)
      WHERE deposits.id = $1`,
    [depositId],
  );
}

export const DEPOSIT_DECISIONS = ['assigned', 'unassigned', 'reversed'] as const;

/** What ops decided on a deposit. */
export interface DepositDecision {
  decision: (typeof DEPOSIT_DECISIONS)[number];
  /** Id of the ops credential. */
  decidedBy: string;
  cornerStoreId: string | null;
  reason: string | null;
  decidedAt: Date;
}

/** The decisions on a deposit, oldest first. */
export function findDecisions(db: Db, depositId: string): Promise<DepositDecision[]> {
  return query<DepositDecision>(
    db,
    `SELECT decision, decided_by, corner_store_id, reason, decided_at
       FROM deposit_decisions WHERE deposit_id = $1 ORDER BY unassignments, decided_at, decision`,
    [depositId],
  );
}

/** Open receivables of one user that are candidates; a payer pays the oldest. */
const MAX_OF_USER = 5;
/** Candidates by amount that are due before the payment, and as many after it. */
const MAX_OF_AMOUNT = 5;

/** The open receivables of users, and named ones in any state. */
export function findNamedCandidates(
  db: Db,
  { userIds, receivableIds }: { userIds: string[]; receivableIds: string[] },
): Promise<OpsReceivable[]> {
  return query<OpsReceivable>(
    db,
    `SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id)
      WHERE receivables.id = ANY($2::uuid[] || ARRAY(
        SELECT owed.id FROM unnest($1::uuid[]) AS known (id), LATERAL (
          SELECT id FROM receivables WHERE user_id = known.id AND paid_at IS NULL
           ORDER BY due_at, id LIMIT ${MAX_OF_USER}) owed))`,
    [userIds, receivableIds],
  );
}

/** The open receivables of exactly that amount whose last day is nearest to a payment. */
export function findCandidatesOfAmount(
  db: Db,
  { cents, paidAt }: { cents: number; paidAt: Date },
): Promise<OpsReceivable[]> {
  const half = (side: string, order: string): string => `
    (SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id)
      WHERE paid_at IS NULL AND ${OUTSTANDING} = $1 AND due_at ${side} $2
      ORDER BY due_at ${order}, receivables.id ${order} LIMIT ${MAX_OF_AMOUNT})`;
  return query<OpsReceivable>(db, `${half('>=', 'ASC')} UNION ALL ${half('<', 'DESC')}`, [
    cents,
    paidAt,
  ]);
}
