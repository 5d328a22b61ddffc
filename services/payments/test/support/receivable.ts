import { randomUUID } from 'node:crypto';
import { transactionDelivered, type TransactionDelivered } from '@fiado/contracts/jobs/debts';
import type { PaymentsService } from './service';

/** A delivery of 1,000 pesos with 5% interests: 1,058 pesos are owed. */
export function delivery(changes: Partial<TransactionDelivered> = {}): TransactionDelivered {
  return {
    transactionId: randomUUID(),
    wholesalerId: randomUUID(),
    cornerStoreId: randomUUID(),
    userId: randomUUID(),
    externalId: 'TIENDA-1',
    principalCents: 100_000,
    interestCents: 5_000,
    ivaCents: 800,
    dueAt: '2026-12-05T05:59:59.999Z',
    deliveredAt: '2026-11-20T18:00:00.000Z',
    ...changes,
  };
}

/** Handles the event of transactions, as the worker of the queue does. */
export async function deliverTransaction(
  payments: PaymentsService,
  delivered: TransactionDelivered,
  messageId: string = randomUUID(),
): Promise<void> {
  const { transactionId } = delivered;
  await payments.handle(
    transactionDelivered,
    { id: transactionId, version: 1 },
    delivered,
    messageId,
  );
}

export interface ReceivableRow {
  id: string;
  id_factura: string;
  numero_referencia: string;
  outstanding: [interest: number, iva: number, principal: number];
  version: number;
  paid: boolean;
}

/**
 * The outstanding amount of a transaction's receivable by its ledger and by its columns, which must
 * agree.
 */
export async function receivableOf(
  payments: PaymentsService,
  { transactionId }: { transactionId: string },
): Promise<ReceivableRow> {
  const [row] = await payments.rows<ReceivableRow & { columns: number[] }>(
    `SELECT r.id, r.id_factura, b.numero_referencia, r.version, r.paid_at IS NOT NULL AS paid,
            ARRAY[sum(e.interest_cents)::int, sum(e.iva_cents)::int, sum(e.principal_cents)::int]
              AS outstanding,
            ARRAY[(interest - paid_interest)::int, (iva - paid_iva)::int,
                  (principal - paid_principal)::int] AS columns
       FROM (SELECT *, interest_cents - credited_interest_cents AS interest,
                    iva_cents - credited_iva_cents AS iva,
                    principal_cents - credited_principal_cents AS principal,
                    paid_interest_cents AS paid_interest, paid_iva_cents AS paid_iva,
                    paid_principal_cents AS paid_principal FROM receivables) r
       JOIN credit_balances b USING (user_id) JOIN receivable_entries e ON e.receivable_id = r.id
      WHERE r.transaction_id = $1
      GROUP BY r.id, r.id_factura, b.numero_referencia, r.version, r.paid_at, interest, iva,
               principal, paid_interest, paid_iva, paid_principal`,
    [transactionId],
  );
  if (row === undefined) throw new Error('The transaction has no receivable');
  const { columns, ...receivable } = row;
  expect(columns).toEqual(receivable.outstanding);
  return receivable;
}

/** A user's credit balance in cents, by the ledger and by the column, which must agree. */
export async function balanceOf(
  payments: PaymentsService,
  { userId }: { userId: string },
): Promise<number> {
  const [row] = await payments.rows<{ column: number; ledger: number }>(
    `SELECT balance_cents AS column, COALESCE((SELECT sum(cents) FROM credit_balance_entries e
       WHERE e.user_id = b.user_id), 0)::bigint AS ledger FROM credit_balances b WHERE user_id = $1`,
    [userId],
  );
  if (row === undefined) throw new Error('The user has no credit balance');
  expect(row.column).toBe(row.ledger);
  return row.column;
}
