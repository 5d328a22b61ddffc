import { smsStatusOf } from '@fiado/chassis/clients/notifier';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { SMS_STATUSES } from '@fiado/contracts/sms';
import { VERIFICATION_STATUSES } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { findDisputeOf, ownDisputeAnswer, presentOwnDispute } from '../disputes/dispute';
import {
  exampleSpecTransaction,
  exampleTransaction,
  findVerification,
  presentSpecTransaction,
  presentTransaction,
  requireOrderView,
  specTransactionAnswer,
  transactionFields,
} from './order-view';
import { awaitsConfirmation } from './order.rules';

export const getTransactionByOrderEndpoint = endpoint({
  id: 'getTransactionByWholesalerId',
  as: 'transactions.getByWholesalerId',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'GET /v1/transaction/external/:wholesalerTransactionId',
  scope: 'transactions:read',
  names: { wholesalerTransactionId: 'own-order-id' },
  summary: 'Get a transaction by the wholesaler’s own id',
  description: 'If several have the same id (a cancelled one and its successor), the newest.',
  errors: ['TRANSACTION_NOT_FOUND'],
  // The specification lists the fields of this endpoint, and no other is added.
  answer: specTransactionAnswer,
  example: exampleSpecTransaction,
  input: ({ caller, text }) => ({
    wholesalerId: caller.id,
    wholesalerTransactionId: text('wholesalerTransactionId'),
  }),
  handle: ({ db }: Context, { wholesalerId, wholesalerTransactionId }) =>
    requireOrderView(db, wholesalerId, { wholesalerTransactionId }),
  present: presentSpecTransaction,
});

export const getTransactionEndpoint = endpoint({
  id: 'getTransaction',
  as: 'transactions.get',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId',
  scope: 'transactions:read',
  names: { transactionId: 'order' },
  summary: 'Get a transaction',
  description:
    '`verification` is null for a transaction that needs no confirmation. Its `smsStatus` becomes `failed` if the SMS was refused, for ' +
    'example by a budget of the phone number.',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('TransactionWithVerification', {
    ...transactionFields,
    verification: t.field(
      t.nullable(
        t.object('TransactionVerification', {
          verificationId: fields.verificationId,
          status: t.field(
            t.oneOf(VERIFICATION_STATUSES),
            '`pending`: waits for the code. `approved`: confirmed. `cancelled`: the order was cancelled or has expired',
          ),
          smsStatus: t.field(
            t.nullable(t.oneOf(SMS_STATUSES)),
            'Whether the code has arrived. The status of the newest SMS with the code; null if none was ' +
              'sent or it is unknown',
          ),
          expiresAt: t.time(
            'End of the life of the newest code; a resend may begin another',
            '2026-09-21T16:15:00.000Z',
          ),
          checksLeft: t.field(
            t.count,
            'How often the newest code may still be tried; 0 if it is not valid any more',
            5,
          ),
        }),
      ),
      'The newest verification of the order; null if it has none',
    ),
    dispute: t.field(
      t.nullable(ownDisputeAnswer),
      'The newest dispute of the order: its corner store says that it is not its own; null if it has none',
    ),
  }),
  example: {
    ...exampleTransaction,
    verification: {
      smsStatus: 'delivered',
    },
  },
  input: ({ caller, id }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  // A wholesaler's own order with its confirmation, which is null where it needs none, and its dispute. The status of
  // the SMS is null when no code was sent, or when the notifier does not answer or has deleted the message.
  handle: async ({ db, notifier }: Context, { wholesalerId, transactionId }) => {
    const order = await requireOrderView(db, wholesalerId, { transactionId });
    const found = await findVerification(db, transactionId);
    const dispute = order.deliveredAt === null ? undefined : await findDisputeOf(db, transactionId);
    if (found === undefined) return { order, verification: null, dispute };

    const { sends, ...verification } = found;
    const status =
      sends === 0
        ? undefined
        : await smsStatusOf(notifier, { subjectId: transactionId, template: 'order-code' });
    // A code that was just requested has not reached the notifier yet: pending.
    const onItsWay = status === null && awaitsConfirmation(order.status);
    const smsStatus = onItsWay ? 'pending' : (status ?? null);
    return { order, verification: { ...verification, smsStatus }, dispute };
  },
  present: ({ order, verification, dispute }, context: Context) => ({
    ...presentTransaction(order, context),
    verification: verification && {
      ...verification,
      expiresAt: verification.expiresAt.toISOString(),
    },
    dispute: dispute === undefined ? null : presentOwnDispute(dispute),
  }),
});
