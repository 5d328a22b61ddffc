import type { StoreAnswer } from '@fiado/chassis/idempotency';
import type { Context } from '../context';
import { sandboxNotice } from '../steps/sandbox-notice';
import { getPayment } from './get-payment';
import { recordDeposit } from './record-deposit';

export interface CreateSandboxDeposit {
  wholesalerId: string;
  transactionId: string;
  valorCents: number;
}

export interface SandboxDeposit {
  transactionId: string;
  idFactura: string;
  claveDePago: string;
  valorCents: number;
}

/**
 * Deposits money for a wholesaler's delivered transaction, in a sandbox, as a payment provider
 * would: it is stored, and applied by a job.
 * @throws AppError TRANSACTION_NOT_FOUND, RECEIVABLE_NOT_FOUND
 */
export async function createSandboxDeposit(
  context: Context,
  { wholesalerId, transactionId, valorCents }: CreateSandboxDeposit,
  answerOf: StoreAnswer<SandboxDeposit>,
): Promise<SandboxDeposit> {
  const { idFactura } = await getPayment(context, { transactionId, wholesalerId });
  const notice = sandboxNotice(context, { idFactura, numeroReferencia: '', valorCents });
  const { claveDePago } = notice;
  const deposit = { transactionId, idFactura, claveDePago, valorCents };
  await recordDeposit(context, notice, () => answerOf(deposit));
  return deposit;
}
