import type { OrderStatus } from '../orders/order.rules';
import type { InvoiceRow } from './invoice.entity';

/**
 * SQL: whether an invoice waits for the provider: to be issued, or to be corrected after its order ended or shrank. As
 * in the index `invoices_waiting`.
 */
export const WAITS_FOR_PROVIDER = `status = 'pending' OR status = 'issued' AND cancellation = 'requested'`;

/** An invoice that this process alone tries to issue, or to correct. */
export interface ClaimedInvoice extends Pick<
  InvoiceRow,
  | 'id'
  | 'transactionId'
  | 'status'
  | 'provider'
  | 'discountCents'
  | 'products'
  | 'providerInvoiceId'
  | 'createdAt'
  | 'wholesalerId'
  | 'hasOwnIssuer'
  | 'receiver'
  | 'kind'
  | 'receiverSealed'
  | 'providerStatus'
  | 'cancelMotive'
  | 'substitutionUuid'
> {
  transactionStatus: OrderStatus;
  userId: string;
  /** Whether the provider may have it, because the outcome of an earlier attempt is unknown. */
  mayExist: InvoiceRow['mayExist'];
  /** Tries, this one included. */
  attempts: InvoiceRow['attempts'];
  now: Date;
}
