import { changeEventSettingsEndpoint } from '@fiado/chassis/outbox/announce';
import type { Endpoint } from '@fiado/chassis/http/endpoint';
import type { Context } from '../context';
import { assignDepositEndpoint } from './assign-deposit';
import { createSandboxDepositEndpoint } from './create-sandbox-deposit';
import { detectDefaultsEndpoint } from './detect-defaults';
import { getDefaultInformationEndpoint } from './get-default-information';
import { getPaymentEndpoint } from './get-payment';
import {
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  listDebtsEndpoint,
} from './invariants';
import {
  liveMessagesEndpoint,
  cornerStoreDebtsEndpoint,
  debtsEndpoint,
  paymentEndpoint,
  opsFiguresEndpoint,
  searchEndpoint,
  timelineEndpoint,
} from './internal';
import { listDepositsEndpoint } from './list-deposits';
import { listOpsDefaultsEndpoint } from './list-ops-defaults';
import { listPayoutsEndpoint } from './list-payouts';
import { listReceivablesEndpoint } from './list-receivables';
import { lookUpReferenceEndpoint } from './look-up-reference';
import { payOutEndpoint } from './pay-out';
import { recordDepositEndpoint } from './record-deposit';
import { recordReturnedPayoutEndpoint } from './record-returned-payout';
import { resetSandboxEndpoint } from './reset-sandbox';
import { reverseDepositEndpoint } from './reverse-deposit';
import { setSandboxClockEndpoint } from './set-sandbox-clock';
import { showDepositEndpoint } from './show-deposit';
import { showReceivableEndpoint } from './show-receivable';
import { unassignDepositEndpoint } from './unassign-deposit';

/** The endpoints of payments. */
export const routes: Array<Endpoint<Context>> = [
  recordDepositEndpoint,
  lookUpReferenceEndpoint,
  getPaymentEndpoint,
  getDefaultInformationEndpoint,
  listDepositsEndpoint,
  showDepositEndpoint,
  listReceivablesEndpoint,
  showReceivableEndpoint,
  listOpsDefaultsEndpoint,
  assignDepositEndpoint,
  unassignDepositEndpoint,
  reverseDepositEndpoint,
  listPayoutsEndpoint,
  payOutEndpoint,
  recordReturnedPayoutEndpoint,
  detectDefaultsEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  listDebtsEndpoint,
  changeEventSettingsEndpoint,
  paymentEndpoint,
  debtsEndpoint,
  liveMessagesEndpoint,
  opsFiguresEndpoint,
  cornerStoreDebtsEndpoint,
  timelineEndpoint,
  searchEndpoint,
  createSandboxDepositEndpoint,
  setSandboxClockEndpoint,
  resetSandboxEndpoint,
];
