import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@fiado/contracts/caller';
import { provider } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import type { PaymentsService } from './service';

/** How long deposits may take until all are applied. */
const DEADLINE_MS = 60_000;

export const oxxo: Caller = provider('OXXO Pay');

export interface DepositJson {
  idFactura: string;
  numeroReferencia: string;
  valor: number;
  fechaPago: string;
  claveDePago: string;
}

/** A deposit that names nothing that we know. */
export function depositJson(changes: Partial<DepositJson> = {}): DepositJson {
  return {
    idFactura: 'sin factura',
    numeroReferencia: 'sin referencia',
    valor: 100,
    fechaPago: '2026-11-20 10:15:30.123',
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
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await sleep(10)) {
    const waiting = await payments.rows(`SELECT FROM deposits WHERE status = 'received'`);
    if (waiting.length === 0) return;
  }
  throw new Error('A deposit is still not applied');
}
