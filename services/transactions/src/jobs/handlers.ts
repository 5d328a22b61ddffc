import { on, type JobRoute } from '@fiado/chassis/jobs/worker';
import { cornerStoreChanged } from '@fiado/contracts/jobs/corner-store-changed';
import { defaultsChanged } from '@fiado/contracts/jobs/defaults-changed';
import { issueInvoice as issueInvoiceJob } from '@fiado/contracts/jobs/issue-invoice';
import { paymentApplied, type PaymentApplied } from '@fiado/contracts/jobs/payment-applied';
import { paymentReversed, type PaymentReversed } from '@fiado/contracts/jobs/payment-reversed';
import { wholesalerChanged } from '@fiado/contracts/jobs/wholesaler-changed';
import type { Context } from '../context';
import { recordWholesaler } from '../db/credit-terms.repository';
import { applyCornerStoreEvent } from '../use-cases/apply-corner-store-event';
import { issueInvoice } from '../use-cases/issue-invoice';
import { applyDefaultsEvent } from '../use-cases/apply-defaults-event';
import { applyPaymentEvent, type ApplyPaymentEvent } from '../use-cases/apply-payment-event';

/**
 * Jobs that transactions consumes. Snapshots carry a version, so a repeated one changes nothing.
 */
export function jobs(context: Context): JobRoute[] {
  return [
    on(cornerStoreChanged, ({ aggregateVersion, data }) =>
      applyCornerStoreEvent(context, { version: aggregateVersion, snapshot: data }),
    ),
    on(wholesalerChanged, ({ aggregateVersion, data }) =>
      recordWholesaler(context.db, { version: aggregateVersion, snapshot: data }),
    ),
    on(issueInvoiceJob, ({ data }) => issueInvoice(context, data.invoiceId)),
    on(defaultsChanged, ({ id, aggregateVersion, data }) =>
      applyDefaultsEvent(context, { messageId: id, version: aggregateVersion, news: data }),
    ),
    on(paymentApplied, ({ id, aggregateVersion, data }) =>
      applyPaymentEvent(context, newsOf(id, aggregateVersion, data)),
    ),
    on(paymentReversed, ({ id, aggregateVersion, data }) =>
      applyPaymentEvent(context, newsOf(id, aggregateVersion, data)),
    ),
  ];
}

/** Both events carry the same data: the state of the receivable afterwards. */
function newsOf(
  messageId: string,
  version: number,
  {
    transactionId,
    cornerStoreId,
    paymentId,
    outstandingCents,
    outstandingPrincipalCents: owedCents,
  }: PaymentApplied | PaymentReversed,
): ApplyPaymentEvent {
  const paid = outstandingCents === 0;
  return { messageId, version, transactionId, cornerStoreId, paymentId, paid, owedCents };
}
