import { changeEventSettingsEndpoint } from '@fiado/shared/chassis/http/change-event-settings';
import type { Endpoint } from '@fiado/shared/chassis/http/endpoint';
import type { Context } from '../context';
import { assignDepositEndpoint } from './assign-deposit';
import { createSandboxDepositEndpoint } from './create-sandbox-deposit';
import { detectDefaultsEndpoint } from './detect-defaults';
import { getDefaultInformationEndpoint } from './get-default-information';
import { getPaymentEndpoint } from './get-payment';
import { checkInvariantsEndpoint, listCornerStoreSumsEndpoint } from './invariants';
import {
  cornerStoreDebtsEndpoint,
  debtsEndpoint,
  paymentEndpoint,
  opsFiguresEndpoint,
  searchEndpoint,
  timelineEndpoint,
} from './internal';
import { listDepositsEndpoint } from './list-deposits';
import { listOpsDefaultsEndpoint } from './list-ops-defaults';
import { listReceivablesEndpoint } from './list-receivables';
import { lookUpReferenceEndpoint } from './look-up-reference';
import { recordDepositEndpoint } from './record-deposit';
import { resetSandboxEndpoint } from './reset-sandbox';
import { reverseDepositEndpoint } from './reverse-deposit';
import { setSandboxClockEndpoint } from './set-sandbox-clock';
import { showDepositEndpoint } from './show-deposit';
import { showReceivableEndpoint } from './show-receivable';

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
  reverseDepositEndpoint,
  detectDefaultsEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  changeEventSettingsEndpoint,
  paymentEndpoint,
  debtsEndpoint,
  opsFiguresEndpoint,
  cornerStoreDebtsEndpoint,
  timelineEndpoint,
  searchEndpoint,
  createSandboxDepositEndpoint,
  setSandboxClockEndpoint,
  resetSandboxEndpoint,
];
