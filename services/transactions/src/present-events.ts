import type { EventPresenters, Written } from '@fiado/chassis/outbox/events';
import type { TransactionsConfig } from './config';
import { type CreditNote, presentCreditNote } from './credit-notes/credit-note';
import {
  type CreditNoteRequest,
  presentCreditNoteRequest,
} from './credit-notes/credit-note-request';
import { type OwnDispute, presentOwnDispute } from './disputes/dispute';
import { presentInvoice, type ShownInvoice } from './invoices/view-invoice';
import { presentTransaction, type OrderView } from './orders/order-view';
import { presentStatement, type Statement } from './statements/statement';
import { presentTaxDocument } from './tax-documents/list-tax-documents';

/** The objects of this service's events, from what the triggers of its schema wrote. */
export function transactionsEvents(config: TransactionsConfig): EventPresenters {
  const present = (written: Written<OrderView>): object =>
    presentTransaction(transactionOf(written), { config });
  return {
    'transaction.created': present,
    'transaction.confirmed': present,
    'transaction.delivered': present,
    'transaction.cancelled': present,
    'transaction.expired': present,
    'transaction.paid': present,
    'transaction.payment-reversed': present,
    'transaction.credited': presentWrittenCreditNote,
    'transaction.credit-note-refused': presentWrittenCreditNoteRequest,
    'transaction.disputed': presentWrittenDispute,
    'transaction.dispute-closed': presentWrittenDispute,
    'invoice.issued': presentWrittenInvoice,
    'invoice.failed': presentWrittenInvoice,
    'invoice.credit-note-issued': presentTaxDocument,
    'invoice.payment-complement-issued': presentTaxDocument,
    'invoice.cancelled': presentWrittenInvoice,
    'statement.closed': presentWrittenStatement,
    'statement.paid': presentWrittenStatement,
    'statement.returned': presentWrittenStatement,
  };
}

function transactionOf(written: Written<OrderView>): OrderView {
  return {
    ...written,
    movementDate: new Date(written.movementDate),
    paymentDueAt: new Date(written.paymentDueAt),
    deliveryDate: dateOf(written.deliveryDate),
    deliveredAt: dateOf(written.deliveredAt),
    paidAt: dateOf(written.paidAt),
    orderedCents: written.orderedCents ?? null,
    deliveryProof: written.deliveryProof ?? null,
  };
}

/** A function of the release before wrote some events, and not every field. */
function dateOf(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : new Date(text);
}

function presentWrittenCreditNote(written: Written<CreditNote>): object {
  return presentCreditNote({ ...written, createdAt: new Date(written.createdAt) });
}

function presentWrittenCreditNoteRequest(written: Written<CreditNoteRequest>): object {
  const { requestedAt, decidedAt } = written;
  return presentCreditNoteRequest({
    ...written,
    requestedAt: new Date(requestedAt),
    decidedAt: dateOf(decidedAt),
  });
}

function presentWrittenDispute(written: Written<OwnDispute>): object {
  return presentOwnDispute({
    ...written,
    openedAt: new Date(written.openedAt),
    decidedAt: dateOf(written.decidedAt),
    respondedAt: dateOf(written.respondedAt),
  });
}

/** An invoice that the function of the release before wrote has no cancellation and no kind. */
type WrittenInvoice = Omit<Written<ShownInvoice>, 'cancellation' | 'kind' | 'receiverSealed'> &
  Partial<Pick<ShownInvoice, 'cancellation' | 'kind'>>;

function presentWrittenInvoice(written: WrittenInvoice): object {
  return presentInvoice({
    ...written,
    cancellation: written.cancellation ?? 'none',
    kind: written.kind ?? null,
    receiverSealed: null,
    nextAttemptAt: new Date(written.nextAttemptAt),
    createdAt: new Date(written.createdAt),
    issuedAt: dateOf(written.issuedAt),
  });
}

/** Bytes are written as hexadecimal digits. */
type WrittenStatement = Omit<
  Statement,
  'wholesaler' | 'pendingComplements' | 'commissionInvoice' | 'sha256'
> & {
  sha256: string;
};

function presentWrittenStatement(written: Written<WrittenStatement>): object {
  return presentStatement({
    ...written,
    sha256: Buffer.from(written.sha256, 'hex'),
    periodFrom: new Date(written.periodFrom),
    periodTo: new Date(written.periodTo),
    closedAt: new Date(written.closedAt),
    paidAt: dateOf(written.paidAt),
  });
}
