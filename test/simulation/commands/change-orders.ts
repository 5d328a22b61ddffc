import * as fc from 'fast-check';
import { ops } from '@fiado/chassis/testing/callers';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { cancelOrder } from '../../../services/transactions/src/orders/cancel-order';
import { createCreditNote } from '../../../services/transactions/src/credit-notes/create-credit-note';
import { confirmOrder } from '../../../services/transactions/src/codes/confirm-order';
import { deliverOrder } from '../../../services/transactions/src/deliveries/deliver-order';
import { keepDispute as keepOf } from '../../../services/transactions/src/disputes/decide-dispute';
import { openDisputeForOps } from '../../../services/transactions/src/disputes/open-dispute';
import { expireOrders } from '../../../services/transactions/src/orders/expire-orders';
import { openLink as openLinkOf } from '../../../services/transactions/src/links/open-link';
import { resendCode } from '../../../services/transactions/src/codes/resend-code';
import { answerOf, type History } from '../history';
import * as orders from '../model/change-orders';
import * as disputes from '../model/disputes';
import { found, share, type ModelOrder } from '../model/model';
import { at, position, type Step } from './step';

/** Mostly an order of the wanted status, at times any other. */
const orderPicks = { order: position, any: fc.integer({ min: 0, max: 9 }) };
interface OrderPicks {
  order: number;
  any: number;
}

function pickOrder(
  { model }: History,
  { order, any }: OrderPicks,
  wanted: ModelOrder['status'],
): ModelOrder | undefined {
  const all = [...model.orders.values()];
  return at(any === 9 ? all : all.filter(({ status }) => status === wanted), order);
}

/** The newest code of the order, the first one (which may still be the same), or a wrong one. */
const CODES = ['newest', 'newest', 'newest', 'newest', 'first', 'wrong'] as const;

export const confirm: Step<OrderPicks & { code: (typeof CODES)[number] }> = {
  picks: fc.record({ ...orderPicks, code: fc.constantFrom(...CODES) }),
  plan: (history, picked) => {
    const order = pickOrder(history, picked, 'pending-verification');
    const ids = confirmationIdsOf(history, order);
    if (order === undefined || ids === undefined) return undefined;
    const codes = history.codes.get(order.id) ?? [];
    const known = picked.code === 'first' ? codes[0] : codes.at(-1);
    const wrong = codes.at(-1) === '000000' ? '000001' : '000000';
    const code = picked.code === 'wrong' || known === undefined ? wrong : known;
    return {
      label: `confirm ${order.id} with ${code}`,
      run: () =>
        answerOf(async () => {
          const { transactions } = history.system;
          const confirmed = await confirmOrder(transactions, { ...ids, code }, () => undefined);
          return { answer: confirmed.verificationStatus };
        }),
      expect: (model) => orders.confirm(model, found(model.orders, order.id), code),
    };
  },
};

export const resend: Step<OrderPicks> = {
  picks: fc.record(orderPicks),
  plan: (history, picked) => {
    const order = pickOrder(history, picked, 'pending-verification');
    const ids = confirmationIdsOf(history, order);
    if (order === undefined || ids === undefined) return undefined;
    return {
      label: `resend the code of ${order.id}`,
      run: () =>
        answerOf(async () => {
          await resendCode(history.system.transactions, ids, () => undefined);
          return { answer: 'sent' };
        }),
      expect: (model) => orders.resendCode(model, found(model.orders, order.id)),
    };
  },
};

/** The page behind a link, of an order whose code was not sent yet. */
export const openLink: Step<{ order: number }> = {
  picks: fc.record({ order: position }),
  plan: (history, picked) => {
    const linked = [...history.model.orders.values()].filter(({ code }) => code?.sends === 0);
    const order = at(linked, picked.order);
    if (order === undefined) return undefined;
    return {
      label: `open the link of ${order.id}`,
      run: () =>
        answerOf(async () => {
          const { transactions } = history.system;
          const { state } = await openLinkOf(transactions, {
            transactionId: order.id,
            sendCode: 'if-never-sent',
          });
          return { answer: state };
        }),
      expect: (model) => orders.openLink(model, found(model.orders, order.id)),
    };
  },
};

/** As ordered, less, as much more as the wholesaler allows, or one cent beyond that. */
const DELIVERED = ['as ordered', 'as ordered', 'less', 'most', 'too much'] as const;

export const deliver: Step<OrderPicks & { amount: (typeof DELIVERED)[number] }> = {
  picks: fc.record({ ...orderPicks, amount: fc.constantFrom(...DELIVERED) }),
  plan: (history, picked) => {
    const order = pickOrder(history, picked, 'on-hold');
    if (order === undefined) return undefined;
    const mostCents = order.amountCents + share(order.amountCents, order.overageRate);
    const amountCents = {
      'as ordered': order.amountCents,
      less: Math.ceil(order.amountCents / 3),
      most: mostCents,
      'too much': mostCents + 1,
    }[picked.amount];
    return {
      label: `deliver ${amountCents} of ${order.id}`,
      run: () =>
        answerOf(async () => {
          await deliverOrder(
            history.system.transactions,
            {
              wholesalerId: order.wholesaler,
              transactionId: order.id,
              asked: { amountCents, deliveryWord: undefined, location: undefined },
            },
            () => undefined,
          );
          return { answer: 'delivered' };
        }),
      expect: (model) => orders.deliver(model, found(model.orders, order.id), amountCents),
    };
  },
};

/** All of it, a part, one cent, or a cent more than was delivered. */
const CREDITED = ['all', 'part', 'part', 'cent', 'too much'] as const;

export const credit: Step<OrderPicks & { amount: (typeof CREDITED)[number] }> = {
  picks: fc.record({ ...orderPicks, amount: fc.constantFrom(...CREDITED) }),
  plan: (history, picked) => {
    const order = pickOrder(history, picked, 'delivered');
    if (order === undefined) return undefined;
    const amountCents = {
      all: order.amountCents,
      part: Math.ceil(order.amountCents / 3),
      cent: 1,
      'too much': order.amountCents + 1,
    }[picked.amount];
    return {
      label: `credit ${amountCents} of ${order.id}`,
      run: () =>
        answerOf(async () => {
          const note = await createCreditNote(
            history.system.transactions,
            {
              wholesalerId: order.wholesaler,
              transactionId: order.id,
              credit: { amountCents, reason: 'return', reference: null },
            },
            () => undefined,
          );
          if (note instanceof ChangeRequested) return { answer: 'waits' };
          const { id, principalCents, interestCents, ivaCents } = note;
          return { answer: principalCents + interestCents + ivaCents, ids: [id] };
        }),
      expect: (model, { ids }) =>
        orders.credit(model, found(model.orders, order.id), {
          cents: amountCents,
          id: ids?.[0] ?? 'a credit note that the product refused',
        }),
    };
  },
};

/** The store of a delivered order tells ops that it is not its own. */
export const dispute: Step<OrderPicks> = {
  picks: fc.record(orderPicks),
  plan: (history, picked) => {
    const order = pickOrder(history, picked, 'delivered');
    if (order === undefined) return undefined;
    return {
      label: `dispute ${order.id}`,
      run: () =>
        answerOf(async () => {
          const asked = { by: ops(), transactionId: order.id };
          const { id } = await openDisputeForOps(history.system.transactions, asked);
          return { answer: 'disputed', ids: [id] };
        }),
      expect: (model, { ids }) =>
        disputes.dispute(model, found(model.orders, order.id), ids?.[0] ?? 'refused'),
    };
  },
};

/** Ops decides that the store owes an order that it disputes. */
export const keepDispute: Step<{ dispute: number }> = {
  picks: fc.record({ dispute: position }),
  plan: (history, picked) => {
    const open = [...history.model.disputes].filter(([, { days }]) => days === null);
    const [disputeId, wanted] = at(open, picked.dispute) ?? [];
    if (disputeId === undefined || wanted === undefined) return undefined;
    return {
      label: `keep the dispute of ${wanted.order}`,
      run: () =>
        answerOf(async () => {
          const decision = { by: ops(), disputeId, reason: 'Se revisó' };
          const { status } = await keepOf(history.system.transactions, decision);
          return { answer: status };
        }),
      expect: (model) => disputes.keep(model, wanted.order),
    };
  },
};

export const cancel: Step<OrderPicks> = {
  picks: fc.record(orderPicks),
  plan: (history, picked) => {
    const order = pickOrder(history, picked, picked.any < 5 ? 'on-hold' : 'pending-verification');
    if (order === undefined) return undefined;
    return {
      label: `cancel ${order.id}`,
      run: () =>
        answerOf(async () => {
          const ids = { wholesalerId: order.wholesaler, transactionId: order.id };
          const { transactions } = history.system;
          const { status } = await cancelOrder(transactions, ids, () => undefined);
          return { answer: status };
        }),
      expect: (model) => orders.cancel(model, found(model.orders, order.id)),
    };
  },
};

export const expire: Step<undefined> = {
  picks: fc.constant(undefined),
  plan: ({ system }) => ({
    label: 'expire orders',
    run: async () => {
      while (await expireOrders(system.transactions)) continue;
      return { answer: undefined };
    },
    expect: (model) => orders.expire(model),
  }),
};

/** Undefined for an order that never had a verification: an item of a batch. */
function confirmationIdsOf({ state }: History, order: ModelOrder | undefined) {
  const row = state.orders.find(({ id }) => id === order?.id);
  if (order === undefined || row === undefined || row.verificationId === null) return undefined;
  const { verificationId } = row;
  return { wholesalerId: order.wholesaler, transactionId: order.id, verificationId };
}
