import { changeEventSettingsEndpoint } from '@fiado/chassis/outbox/announce';
import type { Endpoint } from '@fiado/chassis/http/endpoint';
import type { Context } from '../context';
import { cancelTransactionEndpoint } from './cancel-transaction';
import { checkOrderEndpoint } from './check-order';
import { confirmTransactionEndpoint } from './confirm-transaction';
import { createBatchEndpoint } from './create-batch';
import { createInvoiceEndpoint } from './create-invoice';
import { createLinkEndpoint } from './create-link';
import { createTransactionEndpoint } from './create-transaction';
import { deliverTransactionEndpoint } from './deliver-transaction';
import { getInvoiceEndpoint } from './get-invoice';
import { getTransactionByOrderEndpoint, getTransactionEndpoint } from './get-transaction';
import {
  liveMessagesEndpoint,
  creditUseEndpoint,
  deliveredTransactionEndpoint,
  deliverSandboxOrderEndpoint,
  endSandboxOrdersEndpoint,
  opsFiguresEndpoint,
  searchEndpoint,
  timelineEndpoint,
} from './internal';
import {
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  listDebtsEndpoint,
} from './invariants';
import { acceptLinkEndpoint, checkLinkCodeEndpoint, openLinkEndpoint } from './links';
import { listCreditEntriesEndpoint } from './list-credit-entries';
import { listOpsTransactionsEndpoint } from './list-ops-transactions';
import { listTransactionsEndpoint } from './list-transactions';
import { resendCodeEndpoint } from './resend-code';
import { resendDeliveryWordEndpoint } from './resend-delivery-word';
import { resetDeliveryWordEndpoint } from './reset-delivery-word';
import { showTransactionEndpoint } from './show-transaction';

/** The endpoints of transactions, in the order of the spec; then those that services call. */
export const routes: Array<Endpoint<Context>> = [
  createLinkEndpoint,
  createTransactionEndpoint,
  createBatchEndpoint,
  getTransactionByOrderEndpoint,
  deliverTransactionEndpoint,
  confirmTransactionEndpoint,
  resendCodeEndpoint,
  resendDeliveryWordEndpoint,
  createInvoiceEndpoint,
  getInvoiceEndpoint,
  getTransactionEndpoint,
  cancelTransactionEndpoint,
  listTransactionsEndpoint,
  checkOrderEndpoint,
  listOpsTransactionsEndpoint,
  showTransactionEndpoint,
  listCreditEntriesEndpoint,
  resetDeliveryWordEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  listDebtsEndpoint,
  creditUseEndpoint,
  deliveredTransactionEndpoint,
  timelineEndpoint,
  searchEndpoint,
  openLinkEndpoint,
  checkLinkCodeEndpoint,
  acceptLinkEndpoint,
  changeEventSettingsEndpoint,
  endSandboxOrdersEndpoint,
  deliverSandboxOrderEndpoint,
  liveMessagesEndpoint,
  opsFiguresEndpoint,
];
