import type { Transaction } from '@fiado/chassis/db/database';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { MessageTemplate, MessageValues } from '@fiado/contracts/message-catalogue';
import type { Context } from '../context';
import type { OrderOfCustomer } from '../orders/order.sql';

/** An answer is of use while the store waits for it. */
const ANSWER_LIFE_MS = 24 * 3_600_000;

/** An SMS to a store about a dispute. */
export type DisputeMessage = {
  [Template in MessageTemplate]: { template: Template; values: MessageValues[Template] };
}['dispute-noted' | 'dispute-choice' | 'dispute-call' | 'dispute-kept'];

/**
 * Answers a store by SMS to its present phone.
 * @param subjectId the order, or the store where it is about none
 */
export async function answerStore(
  { sealer, clock }: Pick<Context, 'sealer' | 'clock'>,
  tx: Transaction,
  {
    cornerStoreId,
    phoneSealed,
    phoneUnprovenBy,
  }: Pick<OrderOfCustomer, 'cornerStoreId' | 'phoneUnprovenBy'> & { phoneSealed: Buffer | null },
  { template, values, subjectId }: DisputeMessage & { subjectId: string },
): Promise<void> {
  // Null once a person is erased.
  if (phoneSealed === null) return;
  await appendToOutbox(
    tx,
    smsRows(sealer, {
      template,
      phone: sealer.open(phoneSealed, PHONE_PURPOSE, cornerStoreId),
      unprovenBy: phoneUnprovenBy,
      values,
      subjectId,
      expiresAt: new Date(clock.now().getTime() + ANSWER_LIFE_MS),
    }),
  );
}
