import type { EventPresenters, Written } from '@fiado/shared/chassis/outbox/announce';
import type { Invoice } from '../db/invoices.repository';
import type { TransactionView } from '../db/transaction-views.repository';
import { presentInvoice } from './get-invoice';
import { presentTransaction } from './transaction-answer';

/** The objects of this service's events, from what the triggers of its schema wrote. */
export const transactionsEvents: EventPresenters = {
  'transaction.created': presentWrittenTransaction,
  'transaction.confirmed': presentWrittenTransaction,
  'transaction.delivered': presentWrittenTransaction,
  'transaction.cancelled': presentWrittenTransaction,
  'transaction.expired': presentWrittenTransaction,
  'transaction.paid': presentWrittenTransaction,
  'invoice.issued': presentWrittenInvoice,
  'invoice.failed': presentWrittenInvoice,
};

function presentWrittenTransaction(written: Written<TransactionView>): object {
  return presentTransaction({
    ...written,
    movementDate: new Date(written.movementDate),
    paymentDueAt: new Date(written.paymentDueAt),
    deliveryDate: written.deliveryDate === null ? null : new Date(written.deliveryDate),
  });
}

function presentWrittenInvoice(written: Written<Invoice>): object {
  return presentInvoice({
    ...written,
    nextAttemptAt: new Date(written.nextAttemptAt),
    createdAt: new Date(written.createdAt),
    issuedAt: written.issuedAt === null ? null : new Date(written.issuedAt),
  });
}
