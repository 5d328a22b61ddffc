import {
  deliverSandboxOrderCall,
  type DeliverSandboxOrder,
} from '@fiado/contracts/deliver-sandbox-order';
import type { OpenSandboxDefault } from '@fiado/contracts/jobs/open-sandbox-default';
import type { Context } from '../context';
import { detectDefaults } from '../defaults/detect-defaults';
import { openReceivable } from '../debts/open-receivable';

/**
 * Opens a default as it comes about otherwise, in a sandbox: transactions delivers an order, its
 * debt is booked, and default detection looks at it for the moment after its payment date. Each
 * part happens once for a job, so a repetition goes on where it ended.
 * @throws AppError SERVICE_UNAVAILABLE when transactions cannot be reached or refuses the order
 */
export async function openSandboxDefault(
  context: Context,
  messageId: string,
  data: OpenSandboxDefault,
): Promise<void> {
  const { wholesalerId, cornerStoreId, amountCents } = data;
  const order: DeliverSandboxOrder = {
    wholesalerId,
    cornerStoreId,
    amountCents,
    wholesalerTransactionId: `sandbox-${messageId}`,
  };
  const delivered = await context.transactions.tell(deliverSandboxOrderCall, order);
  await openReceivable(context, { delivered });
  await detectDefaults(context, {
    asOf: new Date(Date.parse(delivered.dueAt) + 1),
    transactionIds: [delivered.transactionId],
  });
}
