import * as fc from 'fast-check';
import { ops } from '@fiado/chassis/testing/callers';
import { assignDeposit } from '../../../services/payments/src/deposits/assign-deposit';
import { detectDefaults } from '../../../services/payments/src/defaults/detect-defaults';
import { getPayment } from '../../../services/payments/src/debts/get-payment';
import { reverseDeposit } from '../../../services/payments/src/deposits/reverse-deposit';
import { unassignDeposit } from '../../../services/payments/src/deposits/unassign-deposit';
import { answerOf, type History } from '../history';
import * as debts from '../model/debts';
import { DAY_MS, found, sum, type ModelDeposit } from '../model/model';
import { at, position, type Step } from './step';

interface DecisionPicks {
  deposit: number;
  any: number;
  store: number;
}
const decisionPicks: fc.Arbitrary<DecisionPicks> = fc.record({
  deposit: position,
  any: fc.integer({ min: 0, max: 9 }),
  store: position,
});

export const assign: Step<DecisionPicks> = {
  picks: decisionPicks,
  plan: (history, picked) => {
    const known = pickDeposit(history, picked, 'unmatched');
    const cornerStoreId = at([...history.model.stores.keys()], picked.store);
    if (known === undefined || cornerStoreId === undefined) return undefined;
    return {
      label: `assign deposit ${known.key} to ${cornerStoreId}`,
      run: () =>
        answerOf(async () => {
          const command = { depositId: known.id, cornerStoreId, by: ops() };
          return { answer: statusOf(await assignDeposit(history.system.payments, command)) };
        }),
      expect: (model) =>
        debts.assignDeposit(model, found(model.deposits, known.key), cornerStoreId),
    };
  },
};

export const reverse: Step<DecisionPicks> = {
  picks: decisionPicks,
  plan: (history, picked) => {
    const known = pickDeposit(history, picked, 'applied');
    if (known === undefined) return undefined;
    return {
      label: `reverse deposit ${known.key}`,
      run: () =>
        answerOf(async () => {
          const command = { depositId: known.id, reason: 'devuelto', by: ops() };
          return { answer: statusOf(await reverseDeposit(history.system.payments, command)) };
        }),
      expect: (model) => {
        debts.reverseDeposit(model, found(model.deposits, known.key));
        return 'reversed';
      },
    };
  },
};

export const unassign: Step<DecisionPicks> = {
  picks: decisionPicks,
  plan: (history, picked) => {
    const known = pickDeposit(history, picked, 'applied');
    if (known === undefined) return undefined;
    return {
      label: `unassign deposit ${known.key}`,
      run: () =>
        answerOf(async () => {
          const command = { depositId: known.id, reason: 'de otra tienda', by: ops() };
          return { answer: statusOf(await unassignDeposit(history.system.payments, command)) };
        }),
      expect: (model) => debts.unassignDeposit(model, found(model.deposits, known.key)),
    };
  },
};

/** By the clock, or as of a later day, which a sandbox allows. */
export const detect: Step<number | undefined> = {
  picks: fc.constantFrom(undefined, undefined, 5, 40),
  plan: ({ system, model: { now } }, days) => {
    const asOf = days === undefined ? undefined : new Date(now + days * DAY_MS);
    return {
      label: `detect defaults ${asOf === undefined ? '' : `as of ${asOf.toISOString()}`}`,
      run: async () => {
        const { opened } = await detectDefaults(
          system.payments,
          asOf === undefined ? {} : { asOf },
        );
        return { answer: opened };
      },
      expect: (model) => debts.detectDefaults(model, asOf?.getTime() ?? model.now),
    };
  },
};

/** A wholesaler asks how to pay an order, perhaps before payments received its delivery. */
export const readPayment: Step<{ order: number }> = {
  picks: fc.record({ order: position }),
  plan: ({ system, model }, picked) => {
    const order = at([...model.orders.values()], picked.order);
    if (order === undefined) return undefined;
    return {
      label: `read how to pay ${order.id}`,
      run: () =>
        answerOf(async () => {
          const ids = { transactionId: order.id, wholesalerId: order.wholesaler };
          const { owedCents, paidCents } = await getPayment(system.payments, ids);
          return { answer: { owedCents, paidCents } };
        }),
      expect: (model) => {
        if (found(model.orders, order.id).status !== 'delivered') return 'RECEIVABLE_NOT_FOUND';
        debts.openDebt(model, order.id);
        const debt = found(model.debts, order.id);
        const owedCents = sum(debt.owed) - sum(debt.credited);
        return { owedCents, paidCents: owedCents - sum(debts.outstandingOf(debt)) };
      },
    };
  },
};

/** Mostly one of that status, at times any. */
function pickDeposit(
  { model }: History,
  { deposit, any }: DecisionPicks,
  wanted: ModelDeposit['status'],
): ModelDeposit | undefined {
  const all = [...model.deposits.values()];
  return at(any === 9 ? all : all.filter(({ status }) => status === wanted), deposit);
}

/** Of a deposit: keys of machines act at once, so none of their changes waits. */
function statusOf(result: object): string {
  return 'status' in result ? String(result.status) : 'waits';
}
