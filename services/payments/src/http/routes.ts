import type { Route } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { handleAssignDeposit } from './assign-deposit';
import { handleDetectDefaults } from './detect-defaults';
import { handleGetDefaultInformation } from './get-default-information';
import { handleGetInvariants } from './get-invariants';
import { handleGetPayment } from './get-payment';
import { handleListCornerStoreSums } from './list-corner-store-sums';
import { handleListDeposits } from './list-deposits';
import * as admin from './operations/admin';
import * as payments from './operations/payments';
import { handleRecordDeposit } from './record-deposit';
import { handleReverseDeposit } from './reverse-deposit';

/** The HTTP routes of payments. */
export function routes(context: Context): Route[] {
  return [
    {
      method: 'post',
      path: '/v1/customer-transaction/payment/deposit',
      allow: ['provider'],
      scope: 'deposits:write',
      operation: payments.recordDeposit,
      handle: handleRecordDeposit(context),
    },
    {
      method: 'get',
      path: '/v1/transaction/:transactionId/payment',
      allow: ['wholesaler'],
      scope: 'payments:read',
      operation: payments.getPayment,
      handle: handleGetPayment(context),
    },
    {
      method: 'get',
      path: '/v1/corner-store/default-information',
      allow: ['wholesaler'],
      scope: 'payments:read',
      operation: payments.getDefaultInformation,
      handle: handleGetDefaultInformation(context),
    },
    {
      method: 'get',
      path: '/v1/admin/deposits',
      allow: ['ops'],
      operation: admin.listDeposits,
      handle: handleListDeposits(context),
    },
    {
      method: 'post',
      path: '/v1/admin/deposits/:depositId/assign',
      allow: ['ops'],
      operation: admin.assignDeposit,
      handle: handleAssignDeposit(context),
    },
    {
      method: 'post',
      path: '/v1/admin/deposits/:depositId/reverse',
      allow: ['ops'],
      operation: admin.reverseDeposit,
      handle: handleReverseDeposit(context),
    },
    {
      method: 'post',
      path: '/v1/admin/defaults/detect',
      allow: ['ops'],
      operation: admin.detectDefaults,
      handle: handleDetectDefaults(context),
    },
    {
      method: 'get',
      path: '/v1/admin/invariants/payments',
      allow: ['ops'],
      operation: admin.checkInvariants,
      handle: handleGetInvariants(context),
    },
    {
      method: 'get',
      path: '/v1/admin/invariants/payments/corner-stores',
      allow: ['ops'],
      operation: admin.listCornerStoreSums,
      handle: handleListCornerStoreSums(context),
    },
  ];
}
