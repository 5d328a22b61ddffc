import type { OrderStatus } from '../orders/order.rules';
import type { InvoiceRow } from './invoice.entity';
import type { Claimed } from './try-due';

/**
 * SQL: whether an invoice waits for the provider: to be issued, or to be corrected after its order ended or shrank. As
 * in the index `invoices_waiting`.
 */
export const WAITS_FOR_PROVIDER = `status = 'pending' OR status = 'issued' AND cancellation = 'requested'`;

/** An invoice that this process alone tries to issue, or to correct. */
export type ClaimedInvoice = Claimed<InvoiceRow> & {
  transactionStatus: OrderStatus;
  userId: string;
};
