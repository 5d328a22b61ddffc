import type { Database } from '@fiado/chassis/db/database';
import { Lane } from '@fiado/chassis/lanes/lane';
import {
  findCornerStoreIds,
  findCreditTerms,
  type CustomerKey,
  type CustomerName,
  type TermsOfOrder,
} from '../credit-lines/credit-terms.sql';
import { holdOrder, holdOrders, type HoldOutcome, type OrderToHold } from './hold.sql';

/** What orders that arrive at the same time do together: each is one statement for all of them. */
export interface OrderLanes {
  /** The corner stores of the customers that links name. */
  names: Lane<CustomerName, string | undefined>;
  terms: Lane<CustomerKey, TermsOfOrder | undefined>;
  holds: Lane<OrderToHold, HoldOutcome>;
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
      run: (orders) => holdOrders(db, orders),
      runAlone: (order) => holdOrder(db, order),
      keysOf,
      tenantOf: ({ order }) => order.wholesalerId,
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
      : [`order ${wholesalerId} ${wholesalerTransactionId}`]),
    ...(answer === undefined ? [] : [`key ${answer.id.toString('hex')}`]),
  ];
}
