import { exportEndpoints } from '@fiado/chassis/exports/endpoints';
import type { Endpoint } from '@fiado/chassis/http/endpoint';
import { changeEventSettingsEndpoint } from '@fiado/chassis/outbox/events';
import { leftoversEndpoint } from '@fiado/chassis/privacy/leftovers';
import { personalDataEndpoint } from '@fiado/chassis/privacy/personal-data-pages';
import type { Context } from './context';
import { ERASURE_PART, PERSONAL_DATA, PERSONAL_OBJECTS } from './db/personal-data';
import { debtsEndpoint, getPaymentEndpoint, paymentEndpoint } from './debts/get-payment';
import { listReceivablesEndpoint } from './debts/list-receivables';
import { lookUpReferenceEndpoint } from './debts/look-up-reference';
import { showReceivableEndpoint } from './debts/show-receivable';
import { detectDefaultsEndpoint } from './defaults/detect-defaults';
import { getDefaultInformationEndpoint } from './defaults/get-default-information';
import { listOpsDefaultsEndpoint } from './defaults/list-ops-defaults';
import { assignDepositEndpoint } from './deposits/assign-deposit';
import { listCollectionsEndpoint } from './deposits/list-collections';
import { listDepositsEndpoint } from './deposits/list-deposits';
import { listPossibleDepositsEndpoint } from './deposits/list-possible-deposits';
import { listOwnDepositsEndpoint } from './deposits/list-own-deposits';
import { recordDepositEndpoint } from './deposits/record-deposit';
import { refuseReversalEndpoint } from './deposits/refuse-reversal';
import { requestReversalEndpoint } from './deposits/request-reversal';
import { reverseDepositEndpoint } from './deposits/reverse-deposit';
import { showDepositEndpoint } from './deposits/show-deposit';
import { unassignDepositEndpoint } from './deposits/unassign-deposit';
import { liveMessagesEndpoint } from './notices/send-notices';
import { listCornerStoreSumsEndpoint, listDebtsEndpoint } from './ops/corner-store-sums';
import {
  cornerStoreDebtsEndpoint,
  owedEndpoint,
  searchEndpoint,
  timelineEndpoint,
} from './ops/corner-store-views';
import { opsFiguresEndpoint } from './ops/figures';
import { checkInvariantsEndpoint } from './ops/invariants';
import { listPayoutsEndpoint } from './payouts/payout';
import { payOutEndpoint } from './payouts/pay-out';
import { recordReturnedPayoutEndpoint } from './payouts/record-returned-payout';
import { listFlowsEndpoint } from './portfolio/list-flows';
import { listVintagesEndpoint } from './portfolio/list-vintages';
import { showPortfolioEndpoint } from './portfolio/show-portfolio';
import { writeOffReceivableEndpoint } from './portfolio/write-off-receivable';
import { createSandboxDepositEndpoint } from './sandbox/create-sandbox-deposit';
import { resetSandboxEndpoint } from './sandbox/reset-sandbox';
import { setSandboxClockEndpoint } from './sandbox/set-sandbox-clock';

/** The endpoints of payments. */
export const routes: Array<Endpoint<Context>> = [
  recordDepositEndpoint,
  lookUpReferenceEndpoint,
  listOwnDepositsEndpoint,
  requestReversalEndpoint,
  getPaymentEndpoint,
  getDefaultInformationEndpoint,
  listDepositsEndpoint,
  listPossibleDepositsEndpoint,
  showDepositEndpoint,
  listReceivablesEndpoint,
  showReceivableEndpoint,
  listOpsDefaultsEndpoint,
  assignDepositEndpoint,
  unassignDepositEndpoint,
  reverseDepositEndpoint,
  refuseReversalEndpoint,
  listPayoutsEndpoint,
  payOutEndpoint,
  recordReturnedPayoutEndpoint,
  detectDefaultsEndpoint,
  writeOffReceivableEndpoint,
  showPortfolioEndpoint,
  listVintagesEndpoint,
  listFlowsEndpoint,
  listCollectionsEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  listDebtsEndpoint,
  changeEventSettingsEndpoint,
  paymentEndpoint,
  debtsEndpoint,
  liveMessagesEndpoint,
  opsFiguresEndpoint,
  cornerStoreDebtsEndpoint,
  owedEndpoint,
  timelineEndpoint,
  searchEndpoint,
  createSandboxDepositEndpoint,
  setSandboxClockEndpoint,
  resetSandboxEndpoint,
  leftoversEndpoint(ERASURE_PART),
  personalDataEndpoint((_context: Context) => ({ data: PERSONAL_DATA, objects: PERSONAL_OBJECTS })),
  ...exportEndpoints,
];
