import { isUUID } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { refreshCreditTerms } from '../credit-lines/corner-store-copy';
import { CreateTransactionBody } from './create-order';
import { exampleOrder, orderOf } from './order-body';
import { findLiveOrders } from './order.sql';
import {
  type CreditTerms,
  mayChangeAfterRefresh,
  ORDER_REASONS,
  type OrderReason,
  type OrderToCheck,
  refusalsOf,
  roomOf,
} from './refusal.rules';

export const checkOrderEndpoint = endpoint({
  id: 'checkTransaction',
  as: 'transactions.check',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/check',
  scope: 'transactions:read',
  names: { cornerStoreId: 'corner-store' },
  summary: 'Preview an order',
  description: 'Takes the body of `createTransaction` and changes nothing.',
  body: CreateTransactionBody,
  bodyExample: exampleOrder,
  answer: t.object('CheckedOrder', {
    accepted: t.field(t.flag, 'Whether `createTransaction` would accept this order now'),
    rejectionReasons: t.list(t.oneOf(ORDER_REASONS), 'Error codes for which the order is rejected'),
    creditLimitAvailable: fields.creditLimitAvailable,
    maximumAmount: t.field(t.pesos, 'Largest `totalAmount` that the available credit covers', 9500),
    minimumAmount: t.field(
      t.nullable(t.pesos),
      'Smallest `totalAmount` of your orders; null for a corner store that is no customer of yours',
      100,
    ),
  }),
  example: { rejectionReasons: [] },
  input: ({ body, caller }, { config }: Context) => ({
    ...orderOf(body, config.TIME_ZONE),
    wholesalerId: caller.id,
    cornerStoreId: body.cornerStoreId.toLowerCase(),
  }),
  // Returns every check of createTransaction that would refuse the order. Changes nothing.
  // It fails with SERVICE_UNAVAILABLE where accounts does not answer and nothing is known of the store.
  handle: async (context: Context, command) => {
    const { TIME_ZONE } = context.config;
    const terms = await currentTerms(context, command);
    const reasons: OrderReason[] = refusalsOf(terms, command, TIME_ZONE);
    if (await isLive(context, command)) reasons.push('DUPLICATED_TRANSACTION');
    return { reasons, minimumCents: terms?.minimumTransactionCents, ...roomOf(terms, TIME_ZONE) };
  },
  present: (checked) => ({
    accepted: checked.reasons.length === 0,
    rejectionReasons: checked.reasons,
    creditLimitAvailable: amountOf(checked.availableCents),
    maximumAmount: amountOf(checked.maximumCents),
    minimumAmount: checked.minimumCents === undefined ? null : amountOf(checked.minimumCents),
  }),
});

interface CheckOrder extends OrderToCheck {
  wholesalerId: string;
  cornerStoreId: string;
  wholesalerTransactionId: string | undefined;
}

/** The local terms; if they would refuse the order, the terms fetched from accounts. */
async function currentTerms(
  context: Context,
  command: CheckOrder,
): Promise<CreditTerms | undefined> {
  const { wholesalerId, cornerStoreId } = command;
  if (!isUUID(cornerStoreId)) return undefined;
  const known = await context.lanes.terms.add({ wholesalerId, cornerStoreId });
  if (!refusalsOf(known, command, context.config.TIME_ZONE).some(mayChangeAfterRefresh))
    return known;
  await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [cornerStoreId] }).catch(
    (error: unknown) => {
      if (known === undefined) throw error;
    },
  );
  return context.lanes.terms.add({ wholesalerId, cornerStoreId });
}

/** Whether the wholesaler has a live order of that id. */
async function isLive(
  { db }: Context,
  { wholesalerId, wholesalerTransactionId: order }: CheckOrder,
): Promise<boolean> {
  return order !== undefined && (await findLiveOrders(db, wholesalerId, [order])).size > 0;
}
