import { BATCH_MAX_VALUES } from '@fiado/shared/chassis/http/plain-json';
import type { Route } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { handleCancelTransaction } from './cancel-transaction';
import { handleCheckOrder } from './check-order';
import { handleConfirmTransaction } from './confirm-transaction';
import { handleCreateBatch } from './create-batch';
import { handleCreateInvoice } from './create-invoice';
import { handleCreateLink } from './create-link';
import { handleCreateTransaction } from './create-transaction';
import { handleDeliverTransaction } from './deliver-transaction';
import { handleGetInvoice } from './get-invoice';
import { handleGetTransaction, handleGetTransactionByOrder } from './get-transaction';
import {
  handleConfirmLink,
  handleCreditUse,
  handleDeliveredTransaction,
  handleOpenLink,
} from './internal';
import { handleCornerStoreSums, handleInvariants } from './invariants';
import { handleListTransactions } from './list-transactions';
import * as followUp from './operations/follow-up';
import * as invariants from './operations/invariants';
import * as invoices from './operations/invoices';
import * as orders from './operations/orders';
import { handleResendCode } from './resend-code';
import { handleResendDeliveryWord } from './resend-delivery-word';
import { handleResetDeliveryWord } from './reset-delivery-word';

/** Every route of this service, in the order of the spec; then what neighbours ask. */
export function routes(context: Context): Route[] {
  const verification = '/v1/transaction/:transactionId/verification/:verificationId';
  return [
    {
      method: 'post',
      path: '/v1/link/external/:externalId',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: orders.createLink,
      handle: handleCreateLink(context),
    },
    {
      method: 'post',
      path: '/v1/transaction',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: orders.createTransaction,
      handle: handleCreateTransaction(context),
    },
    {
      method: 'post',
      path: '/v1/transaction/batch',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      bodyLimit: '2mb',
      maxValues: BATCH_MAX_VALUES,
      operation: orders.createBatch,
      handle: handleCreateBatch(context),
    },
    {
      method: 'get',
      path: '/v1/transaction/external/:wholesalerTransactionId',
      allow: ['wholesaler'],
      scope: 'transactions:read',
      operation: followUp.getTransactionByOrder,
      handle: handleGetTransactionByOrder(context),
    },
    {
      method: 'put',
      path: '/v1/transaction/:transactionId',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: followUp.deliverTransaction,
      handle: handleDeliverTransaction(context),
    },
    {
      method: 'put',
      path: verification,
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: followUp.confirmTransaction,
      handle: handleConfirmTransaction(context),
    },
    {
      method: 'post',
      path: verification,
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: followUp.resendCode,
      handle: handleResendCode(context),
    },
    {
      method: 'post',
      path: '/v1/transaction/:transactionId/delivery-word',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: followUp.resendDeliveryWord,
      handle: handleResendDeliveryWord(context),
    },
    {
      method: 'post',
      path: '/v1/transaction/:transactionId/invoice',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: invoices.createInvoice,
      handle: handleCreateInvoice(context),
    },
    {
      method: 'get',
      path: '/v1/transaction/:transactionId/invoice',
      allow: ['wholesaler'],
      scope: 'transactions:read',
      operation: invoices.getInvoice,
      handle: handleGetInvoice(context),
    },
    {
      method: 'get',
      path: '/v1/transaction/:transactionId',
      allow: ['wholesaler'],
      scope: 'transactions:read',
      operation: followUp.getTransaction,
      handle: handleGetTransaction(context),
    },
    {
      method: 'post',
      path: '/v1/transaction/:transactionId/cancel',
      allow: ['wholesaler'],
      scope: 'transactions:write',
      operation: followUp.cancelTransaction,
      handle: handleCancelTransaction(context),
    },
    {
      method: 'get',
      path: '/v1/transaction',
      allow: ['wholesaler'],
      scope: 'transactions:read',
      operation: followUp.listTransactions,
      handle: handleListTransactions(context),
    },
    {
      method: 'post',
      path: '/v1/transaction/check',
      allow: ['wholesaler'],
      scope: 'transactions:read',
      operation: orders.checkOrder,
      handle: handleCheckOrder(context),
    },
    {
      method: 'post',
      path: '/v1/admin/transactions/:transactionId/reset-delivery-word',
      allow: ['ops'],
      operation: followUp.resetDeliveryWord,
      handle: handleResetDeliveryWord(context),
    },
    {
      method: 'get',
      path: '/v1/admin/invariants/transactions',
      allow: ['ops'],
      operation: invariants.checkInvariants,
      handle: handleInvariants(context),
    },
    {
      method: 'get',
      path: '/v1/admin/invariants/transactions/corner-stores',
      allow: ['ops'],
      operation: invariants.listCornerStoreSums,
      handle: handleCornerStoreSums(context),
    },
    {
      method: 'post',
      path: '/internal/credit-use',
      allow: ['service'],
      handle: handleCreditUse(context),
    },
    {
      method: 'post',
      path: '/internal/delivered-transaction',
      allow: ['service'],
      handle: handleDeliveredTransaction(context),
    },
    {
      method: 'post',
      path: '/internal/links/open',
      allow: ['service'],
      handle: handleOpenLink(context),
    },
    {
      method: 'post',
      path: '/internal/links/confirm',
      allow: ['service'],
      handle: handleConfirmLink(context),
    },
  ];
}
