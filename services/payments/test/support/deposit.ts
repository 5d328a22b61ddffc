import { randomUUID } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { provider } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import type { Answer } from '@fiado/chassis/testing/call';
import type { PaymentsService } from './service';

export const oxxo: Caller = provider('OXXO Pay');

export interface DepositJson {
  idFactura: string;
  numeroReferencia: string;
  valor: number;
  fechaPago: string;
  claveDePago: string;
}

let seconds = 0;

/** A deposit that names nothing that we know, at a time of its own. */
export function depositJson(changes: Partial<DepositJson> = {}): DepositJson {
  return {
    idFactura: 'sin factura',
    numeroReferencia: 'sin referencia',
    valor: 100,
    fechaPago: `2026-11-20 10:15:${(seconds += 0.001).toFixed(3).padStart(6, '0')}`,
    claveDePago: randomUUID(),
    ...changes,
  };
}

/** Posts a deposit (recordDeposit) as its provider. */
export function postDeposit(
  payments: PaymentsService,
  body: unknown,
  caller: Caller = oxxo,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const query = `?paymentProviderName=${encodeURIComponent(caller.name)}`;
  return payments.call(caller, 'POST', `/v1/customer-transaction/payment/deposit${query}`, {
    body,
    headers,
  });
}

/** Posts a deposit and waits until it is applied or known to be unmatched. */
export async function deposit(
  payments: PaymentsService,
  changes: Partial<DepositJson>,
): Promise<void> {
  const answer = await postDeposit(payments, depositJson(changes));
  expect(answer.status).toBe(200);
  await untilSettled(payments);
}

/** Waits until no deposit is left that was only received. */
export async function untilSettled(payments: PaymentsService): Promise<void> {
  const waiting = `SELECT FROM deposits WHERE status = 'received'`;
  await until('all deposits are applied', async () => (await payments.rows(waiting)).length === 0);
}

/** Ends the pauses between attempts, also those of a process that was killed. */
export async function hurryDeposits(payments: PaymentsService): Promise<void> {
  await payments.rows(`UPDATE deposits SET next_attempt_at = now() WHERE status = 'received'`);
  payments.context.depositWorker.loop.wake();
}
