import { type JobRoute, on } from '@fiado/chassis/jobs/worker';
import { cornerStoreChanged } from '@fiado/contracts/jobs/corner-store-changed';
import { defaultsChanged } from '@fiado/contracts/jobs/defaults-changed';
import { issueInvoice as issueInvoiceJob } from '@fiado/contracts/jobs/issue-invoice';
import { paymentApplied } from '@fiado/contracts/jobs/payment-applied';
import { paymentReversed } from '@fiado/contracts/jobs/payment-reversed';
import { wholesalerChanged } from '@fiado/contracts/jobs/wholesaler-changed';
import type { Context } from './context';
import { applyDefaultsEvent, applyPaymentEvent, newsOf } from './credit-lines/apply-payment-events';
import { keepCornerStore, recordWholesaler } from './credit-lines/corner-store-copy';
import { issueInvoice } from './invoices/issue-invoice';

/**
 * Jobs that transactions consumes. Snapshots carry a version, so a repeated one changes nothing.
 */
export function jobs(context: Context): JobRoute[] {
  return [
    on(cornerStoreChanged, ({ aggregateVersion, data }) =>
      keepCornerStore(context, { version: aggregateVersion, snapshot: data }),
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
