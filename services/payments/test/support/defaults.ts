import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { depositJson, postDeposit, untilSettled } from './deposit';
import { deliverTransaction, delivery, receivableOf } from './receivable';
import type { PaymentsService } from './service';

/** A receivable that was due on 1 November 2026. */
export const PAST_DUE = '2026-11-02T05:59:59.999Z';

/** Runs the default detection, as ops. */
export function detect(payments: PaymentsService, body?: unknown): Promise<Answer> {
  return payments.call(ops(), 'POST', '/v1/admin/defaults/detect', { body });
}

/** A delivery that is overdue already. */
export async function deliverOverdue(
  payments: PaymentsService,
  changes: Parameters<typeof delivery>[0] = {},
): Promise<ReturnType<typeof delivery>> {
  const order = delivery({ dueAt: PAST_DUE, ...changes });
  await deliverTransaction(payments, order);
  return order;
}

/** Deposits for a transaction and waits until it is applied. @returns the deposit's id */
export async function payFor(
  payments: PaymentsService,
  order: { transactionId: string },
  valor: number,
): Promise<string> {
  const { id_factura: idFactura } = await receivableOf(payments, order);
  // Before the clocks of all tests.
  const fechaPago = depositJson().fechaPago.replace('-20 ', '-04 ');
  const body = depositJson({ idFactura, valor, fechaPago });
  expect((await postDeposit(payments, body)).status).toBe(200);
  await untilSettled(payments);
  const [row] = await payments.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE clave_de_pago = $1',
    [body.claveDePago],
  );
  return row?.id ?? '';
}

export async function reverse(payments: PaymentsService, depositId: string): Promise<void> {
  const path = `/v1/admin/deposits/${depositId}/reverse`;
  const answer = await payments.call(ops(), 'POST', path, { body: { reason: 'devuelto' } });
  expect(answer.status).toBe(200);
}

/** Whether each default of a transaction is paid, oldest first. */
export async function defaultsOf(
  payments: PaymentsService,
  { transactionId }: { transactionId: string },
): Promise<Array<{ cents: number; paid: boolean }>> {
  return payments.rows(
    `SELECT amount_cents AS cents, d.paid_at IS NOT NULL AS paid
       FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
      WHERE r.transaction_id = $1 ORDER BY d.opened_at, d.id`,
    [transactionId],
  );
}

/** The published defaults of a corner store in one queue, in the order of the versions. */
export async function toldOf(
  payments: PaymentsService,
  { cornerStoreId }: { cornerStoreId: string },
  queue = 'accounts',
): Promise<Array<Record<string, unknown>>> {
  const rows = await payments.outbox('defaults.changed');
  return rows
    .filter((row) => row.aggregate_id === cornerStoreId && row.queue === queue)
    .toSorted((a, b) => a.aggregate_version - b.aggregate_version)
    .map(({ aggregate_version: version, data }) => ({ version, ...data }));
}

/** Names of the invariants that do not hold, with the rows at fault. */
export async function brokenInvariants(payments: PaymentsService): Promise<unknown[]> {
  const { status, body } = await payments.call(ops(), 'GET', '/v1/admin/invariants/payments');
  expect(status).toBe(200);
  return body.checks.filter(({ holds }: { holds: boolean }) => !holds);
}
