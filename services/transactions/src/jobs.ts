import { type JobRoute, on } from '@fiado/chassis/jobs/worker';
import { cornerStoreChanged } from '@fiado/contracts/jobs/corner-store-changed';
import { defaultsChanged } from '@fiado/contracts/jobs/defaults-changed';
import { issueInvoice as issueInvoiceJob } from '@fiado/contracts/jobs/issue-invoice';
import { paymentApplied } from '@fiado/contracts/jobs/payment-applied';
import { paymentReversed } from '@fiado/contracts/jobs/payment-reversed';
import { wholesalerChanged } from '@fiado/contracts/jobs/wholesaler-changed';
import type { Context } from './context';
import { applyDefaultsEvent, applyPaymentEvent } from './credit-lines/apply-payment-events';
import { recordCornerStore, recordWholesaler } from './credit-lines/corner-store-copy';
import { issueInvoice } from './invoices/issue-invoice';

/**
 * Jobs that transactions consumes. Snapshots carry a version, so a repeated one changes nothing.
 */
export function jobs(context: Context): JobRoute[] {
  return [
    on(cornerStoreChanged, ({ aggregateVersion: version, data: snapshot }) =>
      recordCornerStore(context, { version, snapshot }),
    ),
    on(wholesalerChanged, ({ aggregateVersion: version, data: snapshot }) =>
      recordWholesaler(context.db, { version, snapshot }),
    ),
    on(issueInvoiceJob, ({ data }) => issueInvoice(context, data.invoiceId)),
    on(defaultsChanged, (job) => applyDefaultsEvent(context, job)),
    on(paymentApplied, (job) => applyPaymentEvent(context, job)),
    on(paymentReversed, (job) => applyPaymentEvent(context, job)),
  ];
}
