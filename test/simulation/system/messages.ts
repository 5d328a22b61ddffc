import type { Envelope } from '@fiado/contracts/define';
import { SMS_PURPOSE, type SealedSms } from '@fiado/contracts/jobs/send-message';
import { applyDeposit } from '../../../services/payments/src/deposits/apply-deposit';
import { DEPOSITS_TO_APPLY } from '../../../services/payments/src/deposits/deposit';
import type { ModelMessage } from '../model/receive-message';
import type { System } from './system';

/**
 * A row of a service's outbox, as its relay would put it on a queue; or a row that says itself what is
 * left to do, which its loop would find.
 */
export interface Message extends Envelope<Record<string, unknown>> {
  queue: string;
}

/** Hands a message to the service of its queue, as that service's worker or loop would. */
export async function deliverMessage(system: System, message: Message): Promise<void> {
  if (message.type === DEPOSITS_TO_APPLY.type) {
    await applyDeposit(system.payments, message.aggregateId);
    return;
  }
  const routes = system.jobs.get(message.queue) ?? [];
  const route = routes.find(({ definition }) => definition.type === message.type);
  if (route === undefined) throw new Error(`${message.queue} has no handler of ${message.type}`);
  // Over a queue it would be JSON.
  await route.handle(JSON.parse(JSON.stringify(message)) as Envelope);
}

/** They are about an order, and their aggregate is a receivable or a credit note. */
const OF_ORDERS = [
  'payment.applied',
  'payment.reversed',
  'transaction.credited',
  'receivable.credited',
];

/** What a message is about, for the model. */
export function modelMessageOf({ id, queue, type, ...message }: Message): ModelMessage {
  const { data, aggregateId, aggregateVersion: version } = message;
  const subject = OF_ORDERS.includes(type) ? String(data.transactionId) : aggregateId;
  const { creditNoteId, creditNoteIds, phoneIndex } = data as {
    creditNoteId?: string;
    creditNoteIds?: string[];
    phoneIndex?: string;
  };
  return { id, queue, type, version, subject, creditNoteId, creditNoteIds, phone: phoneIndex };
}

/** The code in an SMS about an order; undefined for any other SMS. */
export function codeIn(system: System, { data }: Message): string | undefined {
  if (data.template !== 'order-code') return undefined;
  const sealed = Buffer.from(String(data.sealed), 'base64');
  const sms = JSON.parse(
    system.transactions.sealer.open(sealed, SMS_PURPOSE, String(data.subjectId)),
  ) as SealedSms;
  return 'code' in sms.values ? sms.values.code : undefined;
}
