import { endpoint } from '@fiado/chassis/http/endpoint';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { ORDER_REASONS } from '../domain/rejection-reasons';
import { checkOrder } from '../use-cases/check-order';
import { CreateTransactionBody } from './create-transaction';
import { exampleOrder, orderOf } from './order-body';

export const checkOrderEndpoint = endpoint({
  id: 'checkTransaction',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/check',
  scope: 'transactions:read',
  summary: 'Preview an order',
  description: 'Takes the body of `createTransaction` and changes nothing.',
  body: CreateTransactionBody,
  bodyExample: exampleOrder,
  answer: t.object('CheckedOrder', {
    accepted: t.flag,
    rejectionReasons: t.listOf(t.oneOf(ORDER_REASONS)),
    creditLimitAvailable: t.pesos,
    maximumAmount: t.pesos,
  }),
  example: {
    accepted: true,
    rejectionReasons: [],
    creditLimitAvailable: 9500,
    maximumAmount: 9500,
  },
  input: ({ body, caller }, { config }: Context) => ({
    ...orderOf(body, config.TIME_ZONE),
    wholesalerId: caller.id,
    cornerStoreId: body.cornerStoreId.toLowerCase(),
  }),
  handle: checkOrder,
  present: (checked) => ({
    accepted: checked.reasons.length === 0,
    rejectionReasons: checked.reasons,
    creditLimitAvailable: amountOf(checked.availableCents),
    maximumAmount: amountOf(checked.maximumCents),
  }),
});
