import { type JobRoute, on } from '@fiado/chassis/jobs/worker';
import { endLinksOf } from '@fiado/chassis/exports/export-links';
import { erasePart } from '@fiado/chassis/privacy/erase-part';
import { cornerStoreChanged, wholesalerChanged } from '@fiado/contracts/jobs/corner-stores';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { storeDenies } from '@fiado/contracts/jobs/disputes';
import { issueInvoice as issueInvoiceJob } from '@fiado/contracts/jobs/issue-invoice';
import {
  defaultsChanged,
  paymentApplied,
  paymentReversed,
  receivableCredited,
} from '@fiado/contracts/jobs/debts';
import { opsAccessEnded } from '@fiado/contracts/jobs/ops-access';
import { personErase } from '@fiado/contracts/jobs/privacy';
import type { Context } from './context';
import {
  applyCreditEvent,
  applyDefaultsEvent,
  applyPaymentEvent,
} from './credit-lines/apply-payment-events';
import { ERASURE_PART } from './db/personal-data';
import { denyOrder } from './disputes/deny-order';
import { recordCornerStore, recordWholesaler } from './credit-lines/corner-store-copy';
import { decideSettlementChange } from './statements/decide-settlement-change';

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
    // To be removed in the next release. Version 1.0 sends it for each invoice, also during a rolling update; the row
    // of the invoice is enough.
    on(issueInvoiceJob, async () => context.invoiceLoop.wake()),
    on(defaultsChanged, (job) => applyDefaultsEvent(context, job)),
    on(paymentApplied, (job) => applyPaymentEvent(context, job)),
    on(CHANGE_JOBS.settlement.decided, ({ id, data }) => decideSettlementChange(context, id, data)),
    on(paymentReversed, (job) => applyPaymentEvent(context, job)),
    on(receivableCredited, (job) => applyCreditEvent(context, job)),
    on(storeDenies, ({ id, data }) => denyOrder(context, id, data)),
    on(personErase, ({ id, data }) => erasePart(context, id, data, ERASURE_PART)),
    on(opsAccessEnded, ({ data: { actorId } }) => endLinksOf(context.db, actorId)),
  ];
}
