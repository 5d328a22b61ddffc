import type { Database } from '@fiado/chassis/db/database';
import type { StoredAnswer } from '@fiado/chassis/idempotency';
import { foldKey } from '@fiado/contracts/fold-key';
import { Lane } from '@fiado/chassis/lanes/lane';
import { countApiCheck, countApiChecks } from '@fiado/chassis/verification/count-check';
import type { CheckCount, CheckToCount } from '@fiado/chassis/verification/verifications';
import {
  confirmOrders,
  type ConfirmOutcome,
  type OrderToConfirm,
} from '../codes/confirm-orders.sql';
import {
  type ConfirmationIds,
  findOrdersOfVerifications,
  type OrderOfVerification,
} from '../codes/orders-of-verifications.sql';
import {
  findCornerStoreIds,
  findCreditTerms,
  type CustomerKey,
  type CustomerName,
  type TermsOfOrder,
} from '../credit-lines/credit-terms.sql';
import {
  deliverOrders,
  type DeliveryOutcome,
  type OrderToDeliver,
} from '../deliveries/deliver-orders.sql';
import { holdOrders, type HoldOutcome, type OrderToHold } from './hold.sql';
import { findOrdersWithTerms, type OrderIds, type OrderWithTerms } from './order.sql';

/** Lanes of orders: those that arrive at the same time share one statement. */
export interface OrderLanes {
  /** The corner stores of the customers that links name. */
  names: Lane<CustomerName, string | undefined>;
  terms: Lane<CustomerKey, TermsOfOrder | undefined>;
  holds: Lane<OrderToHold, HoldOutcome>;
  verifications: Lane<ConfirmationIds, OrderOfVerification | undefined>;
  /** Checks of codes that come through the API. They commit before the order is confirmed. */
  codeChecks: Lane<CheckToCount, CheckCount>;
  confirmations: Lane<OrderToConfirm, ConfirmOutcome>;
  ordersWithTerms: Lane<OrderIds, OrderWithTerms | undefined>;
  deliveries: Lane<OrderToDeliver, DeliveryOutcome>;
}

export function createOrderLanes(db: Database): OrderLanes {
  return {
    names: new Lane({
      name: 'find-corner-store-ids',
      run: (names) => findCornerStoreIds(db, names),
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
    terms: new Lane({
      name: 'find-credit-terms',
      run: (keys) => findCreditTerms(db, keys),
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
    holds: new Lane({
      name: 'hold-orders',
      run: (orders) => holdOrders.many(db, orders),
      runAlone: (order) => holdOrders.one(db, order),
      keysOf,
      tenantOf: ({ order }) => order.wholesalerId,
    }),
    verifications: new Lane({
      name: 'find-orders-of-verifications',
      run: (ids) => findOrdersOfVerifications(db, ids),
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
    codeChecks: new Lane({
      name: 'count-code-checks',
      run: (checks) => countApiChecks(db, checks),
      runAlone: countApiCheck(db),
      // Two of one customer would count one of them, in silence.
      keysOf: ({ verificationId, wholesalerId, cornerStoreId }) => [
        `verification ${verificationId}`,
        `customer ${wholesalerId} ${cornerStoreId}`,
      ],
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
    confirmations: new Lane({
      name: 'confirm-orders',
      run: (orders) => confirmOrders.many(db, orders),
      runAlone: (order) => confirmOrders.one(db, order),
      keysOf: ({ id, answer }) => [`order ${id}`, ...keyOf(answer)],
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
    ordersWithTerms: new Lane({
      name: 'find-orders-with-terms',
      run: (ids) => findOrdersWithTerms(db, ids),
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
    deliveries: new Lane({
      name: 'deliver-orders',
      run: (orders) => deliverOrders.many(db, orders),
      runAlone: (order) => deliverOrders.one(db, order),
      keysOf: ({ id, cornerStoreId, differenceCents, answer }) => [
        `order ${id}`,
        // Only these change their line.
        ...(differenceCents === 0 ? [] : [`store ${cornerStoreId}`]),
        ...keyOf(answer),
      ],
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
  };
}

/**
 * Two orders of one store would update its line once, in silence. Two of one order id or one
 * Idempotency-Key would fail at the unique index, and the whole batch with them.
 */
function keysOf({ order, answer }: OrderToHold): string[] {
  const { cornerStoreId, wholesalerId, wholesalerTransactionId } = order;
  return [
    `store ${cornerStoreId}`,
    ...(wholesalerTransactionId === undefined
      ? []
      : [`order ${wholesalerId} ${foldKey(wholesalerTransactionId)}`]),
    ...keyOf(answer),
  ];
}

function keyOf(answer: StoredAnswer | undefined): string[] {
  return answer === undefined ? [] : [`key ${answer.id.toString('hex')}`];
}
