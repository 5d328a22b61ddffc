import type { PaymentApplied } from '@fiado/shared/contracts/jobs/payment-applied';
import { rowOf, type House, type Message } from './house';
import { applyDeposit, openReceivable } from './money';
import {
  changeUsedCredit,
  recordCornerStore,
  recordDefault,
  recordOverdue,
  recordReceivable,
} from './sql-rules';

/** A message reaches its consumer, perhaps again and perhaps after a later one. */
export function hear(house: House, message: Message): void {
  const forPayments = ['transaction.delivered', 'apply-deposit'].includes(message.type);
  const { inbox } = forPayments ? house.payments : house.transactions;
  // Snapshots have a version only; hearing one twice changes nothing.
  if (message.type !== 'corner-store.changed' && inbox.has(message.id)) return;
  takeIn(house, message);
  inbox.add(message.id);
}

function takeIn(house: House, message: Message): void {
  switch (message.type) {
    case 'corner-store.changed':
      recordCornerStore(house, message.cornerStoreId, {
        ...message.terms,
        version: message.version,
      });
      return;
    case 'transaction.delivered':
      openReceivable(house, message.delivered);
      return;
    case 'apply-deposit':
      applyDeposit(house, message.depositId);
      return;
    case 'payment.applied':
      hearOfReceivable(house, message.version, message.payment);
      return;
    case 'payment.reversed':
      hearOfReceivable(house, message.version, message.reversal);
      return;
    case 'defaults.changed': {
      const { cornerStoreId, overdueCount, opened, closed } = message.news;
      const { orders, lines } = house.transactions;
      for (const id of opened) recordDefault(rowOf(orders, id), message.version, true);
      for (const id of closed) recordDefault(rowOf(orders, id), message.version, false);
      recordOverdue(lines.get(cornerStoreId), message.version, overdueCount > 0);
    }
  }
}

/** use-cases/record-receivable-news.ts. */
function hearOfReceivable(
  house: House,
  version: number,
  news: Pick<
    PaymentApplied,
    'transactionId' | 'cornerStoreId' | 'outstandingCents' | 'outstandingPrincipalCents'
  >,
): void {
  const { transactionId, cornerStoreId, outstandingCents } = news;
  const amountCents = recordReceivable(rowOf(house.transactions.orders, transactionId), {
    version,
    paid: outstandingCents === 0,
    owedCents: news.outstandingPrincipalCents,
  });
  if (amountCents === 0) return;
  const kind = amountCents < 0 ? 'repayment' : 'reversal';
  const entry = { cornerStoreId, transactionId, kind, amountCents } as const;
  changeUsedCredit(house, entry, { withinLimit: false });
}
