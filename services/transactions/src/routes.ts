import { changeEventSettingsEndpoint } from '@fiado/chassis/outbox/events';
import { exportEndpoints } from '@fiado/chassis/exports/endpoints';
import type { Endpoint } from '@fiado/chassis/http/endpoint';
import { confirmTransactionEndpoint } from './codes/confirm-order';
import { liveMessagesEndpoint, resendCodeEndpoint } from './codes/resend-code';
import { resendOrderCodeEndpoint } from './codes/resend-code-for-ops';
import { afterBlockEndpoint } from '@fiado/chassis/privacy/after-block';
import { leftoversEndpoint } from '@fiado/chassis/privacy/leftovers';
import { personalDataEndpoint } from '@fiado/chassis/privacy/personal-data-pages';
import type { Context } from './context';
import { createCreditNoteEndpoint } from './credit-notes/create-credit-note';
import { giveCreditNoteEndpoint } from './credit-notes/give-credit-note';
import { listCreditNotesEndpoint } from './credit-notes/list-credit-notes';
import {
  ERASURE_PART,
  ORDERED_AFTER_BLOCK,
  PERSONAL_DATA,
  PERSONAL_OBJECTS,
} from './db/personal-data';
import { SEALED_TABLES } from './db/sealed-columns';
import { listCreditEntriesEndpoint } from './credit-lines/list-credit-entries';
import { creditUseEndpoint } from './credit-lines/used-credit';
import { deliverTransactionEndpoint } from './deliveries/deliver-order';
import { deliveredTransactionEndpoint } from './deliveries/delivered-order';
import { resendDeliveryWordEndpoint } from './deliveries/resend-delivery-word';
import { resetDeliveryWordEndpoint } from './deliveries/reset-delivery-word';
import { creditDisputeEndpoint, keepDisputeEndpoint } from './disputes/decide-dispute';
import { denyDeliveryEndpoint, recentDeliveriesEndpoint } from './disputes/deny-on-page';
import { listDisputesEndpoint } from './disputes/list-disputes';
import { openDisputeEndpoint } from './disputes/open-dispute';
import { respondToDisputeEndpoint } from './disputes/respond-to-dispute';
import { showDisputeEndpoint } from './disputes/show-dispute';
import { cancelInvoiceEndpoint, cancelOpsInvoiceEndpoint } from './invoices/cancel-invoice';
import { createInvoiceEndpoint } from './invoices/create-invoice';
import { getInvoiceFileEndpoint, getOpsInvoiceFileEndpoint } from './invoices/invoice-file';
import {
  getInvoiceIssuerEndpoint,
  removeInvoiceIssuerEndpoint,
  setInvoiceIssuerEndpoint,
} from './invoices/invoice-issuer';
import { listInvoiceIssuersEndpoint } from './invoices/list-invoice-issuers';
import { listInvoicesEndpoint, listOpsInvoicesEndpoint } from './invoices/list-invoices';
import { getInvoiceEndpoint } from './invoices/view-invoice';
import { acceptLinkEndpoint, checkLinkCodeEndpoint } from './links/confirm-link';
import { createLinkEndpoint } from './links/create-link';
import { openLinkEndpoint } from './links/open-link';
import { listAwaitedOrdersEndpoint, listTransactionsEndpoint } from './orders/list-orders';
import { checkInvariantsEndpoint } from './ops/check-invariants';
import { listOpsTransactionsEndpoint } from './ops/list-ops-orders';
import { listCornerStoreSumsEndpoint, listDebtsEndpoint } from './ops/list-sums';
import { opsFiguresEndpoint, searchEndpoint, timelineEndpoint } from './ops/order-views';
import { showTransactionEndpoint } from './ops/show-order';
import { cancelTransactionEndpoint } from './orders/cancel-order';
import { createBatchEndpoint } from './orders/create-batch';
import { createTransactionEndpoint } from './orders/create-order';
import { checkOrderEndpoint } from './orders/preview-order';
import { getTransactionByOrderEndpoint, getTransactionEndpoint } from './orders/view-order';
import { deliverSandboxOrderEndpoint } from './sandbox/deliver-sandbox-order';
import { endSandboxOrdersEndpoint } from './sandbox/end-sandbox-orders';
import { adjustSettlementEndpoint } from './statements/adjust-settlement';
import { closeStatementsEndpoint } from './statements/close-statements';
import { listHeldLinesEndpoint, listOpsHeldLinesEndpoint } from './statements/held-lines';
import { listOpsStatementsEndpoint, listStatementsEndpoint } from './statements/list-statements';
import {
  getOpsStatementLinesCsvEndpoint,
  getStatementLinesCsvEndpoint,
} from './statements/statement-csv';
import {
  listOpsDraftLinesEndpoint,
  listOpsStatementLinesEndpoint,
  listStatementLinesEndpoint,
} from './statements/statement-lines';
import { markStatementPaidEndpoint } from './statements/pay-statement';
import { markStatementReturnedEndpoint } from './statements/return-statement-payment';
import {
  getDraftStatementEndpoint,
  getStatementEndpoint,
  showDraftStatementEndpoint,
  showStatementEndpoint,
} from './statements/view-statement';
import {
  getCommissionInvoiceFileEndpoint,
  getOpsCommissionInvoiceFileEndpoint,
} from './tax-documents/commission-file';
import {
  getWholesalerTaxProfileEndpoint,
  removeWholesalerTaxProfileEndpoint,
  setWholesalerTaxProfileEndpoint,
} from './tax-documents/wholesaler-tax-profile';
import {
  listOpsTaxDocumentsEndpoint,
  listTaxDocumentsEndpoint,
} from './tax-documents/list-tax-documents';

/** The endpoints of transactions, in the order of the spec; then those that services call. */
export const routes: Array<Endpoint<Context>> = [
  createLinkEndpoint,
  createTransactionEndpoint,
  createBatchEndpoint,
  getTransactionByOrderEndpoint,
  deliverTransactionEndpoint,
  confirmTransactionEndpoint,
  resendCodeEndpoint,
  resendOrderCodeEndpoint,
  resendDeliveryWordEndpoint,
  createInvoiceEndpoint,
  getInvoiceEndpoint,
  getInvoiceFileEndpoint,
  listTaxDocumentsEndpoint,
  cancelInvoiceEndpoint,
  listInvoicesEndpoint,
  createCreditNoteEndpoint,
  listCreditNotesEndpoint,
  respondToDisputeEndpoint,
  getTransactionEndpoint,
  cancelTransactionEndpoint,
  listTransactionsEndpoint,
  checkOrderEndpoint,
  listStatementsEndpoint,
  // Before the statement with an id.
  getDraftStatementEndpoint,
  getStatementEndpoint,
  listStatementLinesEndpoint,
  getStatementLinesCsvEndpoint,
  getCommissionInvoiceFileEndpoint,
  listOpsStatementsEndpoint,
  showDraftStatementEndpoint,
  listOpsDraftLinesEndpoint,
  showStatementEndpoint,
  listHeldLinesEndpoint,
  listOpsHeldLinesEndpoint,
  listOpsStatementLinesEndpoint,
  getOpsStatementLinesCsvEndpoint,
  getOpsCommissionInvoiceFileEndpoint,
  closeStatementsEndpoint,
  markStatementPaidEndpoint,
  markStatementReturnedEndpoint,
  adjustSettlementEndpoint,
  setInvoiceIssuerEndpoint,
  getInvoiceIssuerEndpoint,
  removeInvoiceIssuerEndpoint,
  listInvoiceIssuersEndpoint,
  setWholesalerTaxProfileEndpoint,
  getWholesalerTaxProfileEndpoint,
  removeWholesalerTaxProfileEndpoint,
  listOpsTransactionsEndpoint,
  showTransactionEndpoint,
  listCreditEntriesEndpoint,
  giveCreditNoteEndpoint,
  openDisputeEndpoint,
  listDisputesEndpoint,
  showDisputeEndpoint,
  keepDisputeEndpoint,
  creditDisputeEndpoint,
  cancelOpsInvoiceEndpoint,
  getOpsInvoiceFileEndpoint,
  listOpsTaxDocumentsEndpoint,
  listOpsInvoicesEndpoint,
  resetDeliveryWordEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  listDebtsEndpoint,
  creditUseEndpoint,
  deliveredTransactionEndpoint,
  timelineEndpoint,
  searchEndpoint,
  listAwaitedOrdersEndpoint,
  recentDeliveriesEndpoint,
  denyDeliveryEndpoint,
  openLinkEndpoint,
  checkLinkCodeEndpoint,
  acceptLinkEndpoint,
  changeEventSettingsEndpoint,
  endSandboxOrdersEndpoint,
  deliverSandboxOrderEndpoint,
  liveMessagesEndpoint,
  opsFiguresEndpoint,
  leftoversEndpoint(ERASURE_PART),
  afterBlockEndpoint(ORDERED_AFTER_BLOCK),
  personalDataEndpoint(({ sealer }: Context) => ({
    data: PERSONAL_DATA,
    objects: PERSONAL_OBJECTS,
    sealed: SEALED_TABLES,
    sealer,
  })),
  ...exportEndpoints,
];
