import * as fc from 'fast-check';
import { createBatch } from '../../../services/transactions/src/orders/create-batch';
import { createLink } from '../../../services/transactions/src/links/create-link';
import { createOrder } from '../../../services/transactions/src/orders/create-order';
import { answerOf, type Action, type History, type Outcome } from '../history';
import { DAY_MS, newest, found, type Model } from '../model/model';
import {
  placeBatch,
  placeLink,
  placeOrder,
  reasonsAgainst,
  type BatchRequest,
  type OrderRequest,
} from '../model/place-orders';
import { at, position, type Step } from './step';

/** Few, so that they meet. */
const NUMBERS = [undefined, undefined, 'A', 'B'];
const DELIVERY_DAYS = [undefined, undefined, undefined, 3, 1, -1];
const MOVEMENT_DAYS = [undefined, undefined, undefined, -1, -8, 1];
const PRODUCTS = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];

/** How an amount is chosen when the limit and the use of the store are known. */
const AMOUNTS = [
  'part',
  'part',
  'part',
  'fits',
  'one too much',
  'minimum',
  'below',
  'any',
] as const;

const picks = fc.record({
  wholesaler: fc.constantFrom(0, 0, 1),
  store: position,
  amount: fc.constantFrom(...AMOUNTS),
  permille: fc.integer({ min: 1, max: 1_000 }),
  number: fc.constantFrom(...NUMBERS),
  deliveryDays: fc.constantFrom(...DELIVERY_DAYS),
  movementDays: fc.constantFrom(...MOVEMENT_DAYS),
});
type Picks = typeof picks extends fc.Arbitrary<infer Value> ? Value : never;

export const order: Step<Picks> = {
  picks,
  plan: (history, picked) => orderAction(history, requestOf(history.model, picked)),
};

/** Most of the credit that is left: of two such orders at once only one fits. */
export const largeOrder: Step<Picks> = {
  picks,
  plan: (history, picked) => {
    const request = requestOf(history.model, picked);
    const { usedCents, ...store } = found(history.model.stores, request.store);
    const leftCents = newest(store).limitCents - usedCents;
    const amountCents = Math.ceil((leftCents * (500 + picked.permille / 2)) / 1_000);
    if (amountCents < 1) return undefined;
    return orderAction(history, { ...request, amountCents, deliveryDate: undefined });
  },
};

export const link: Step<Picks> = {
  picks,
  plan: (history, picked) => {
    const { system, model } = history;
    const request = requestOf(model, picked);
    const { externalId, ...store } = found(model.stores, request.store);
    const known = newest(store).customerOf.includes(request.wholesaler);
    return {
      label: `link ${JSON.stringify(request)}`,
      run: () =>
        answerOf(async () => {
          const created = await createLink(
            system.transactions,
            {
              ...commandOf(request),
              cornerStoreId: request.store,
              externalId: known ? externalId : 'nobody',
            },
            () => undefined,
          );
          return { answer: 'accepted', ids: [created.transactionId] };
        }),
      expect: (model, { ids }) => placeLink(model, request, ids?.[0]),
    };
  },
};

export const batch: Step<Picks[]> = {
  picks: fc.array(picks, { minLength: 1, maxLength: 4 }),
  plan: ({ system, model }, picked) => {
    const wholesaler = picked[0]?.wholesaler ?? 0;
    const requests = picked.map((one): BatchRequest => {
      const movementDate = momentIn(model, one.movementDays);
      return { ...requestOf(model, { ...one, wholesaler }), movementDate };
    });
    const wholesalerId = requests[0]?.wholesaler ?? '';
    return {
      label: `batch ${JSON.stringify(requests)}`,
      run: () =>
        answerOf(async () => {
          const items = requests.map((request) => ({
            ...commandOf(request),
            cornerStoreId: request.store,
            movementDate: dateOf(request.movementDate),
            metadata: {},
          }));
          const command = { wholesalerId, driverId: 'chofer-1', items };
          return batchOutcome(await createBatch(system.transactions, command, () => undefined));
        }),
      expect: (model, { ids }) => placeBatch(model, requests, ids ?? []),
    };
  },
};

function batchOutcome(items: Awaited<ReturnType<typeof createBatch>>): Outcome {
  return {
    answer: items.map((item) => (item.order === undefined ? item.reasons.join(' ') : 'accepted')),
    ids: items.map(({ order }) => order?.id),
  };
}

function orderAction({ system }: History, request: OrderRequest): Action {
  return {
    label: `order ${JSON.stringify(request)}`,
    run: () =>
      answerOf(async () => {
        const command = { ...commandOf(request), cornerStoreId: request.store };
        const created = await createOrder(
          system.transactions,
          { ...command, sendCode: 'now' },
          () => undefined,
        );
        return { answer: 'accepted', ids: [created.transactionId] };
      }),
    expect: (model, { ids }) => placeOrder(model, request, ids?.[0]),
    refusals: (model) => reasonsAgainst(model, request),
  };
}

function commandOf({ wholesaler, amountCents, number, deliveryDate }: OrderRequest) {
  return {
    wholesalerId: wholesaler,
    amountCents,
    wholesalerTransactionId: number,
    deliveryDate: dateOf(deliveryDate),
    products: PRODUCTS,
    metadata: undefined,
  };
}

function requestOf(model: Model, picked: Picks): OrderRequest {
  const wholesaler = at([...model.wholesalers.keys()], picked.wholesaler) ?? '';
  const store = at([...model.stores.keys()], picked.store) ?? '';
  return {
    wholesaler,
    store,
    amountCents: Math.max(1, amountOf(model, { wholesaler, store }, picked)),
    number: picked.number,
    deliveryDate: momentIn(model, picked.deliveryDays),
  };
}

function amountOf(
  model: Model,
  ids: { wholesaler: string; store: string },
  { amount, permille }: Picks,
): number {
  const store = found(model.stores, ids.store);
  const { limitCents } = newest(store);
  const { minimumCents } = newest(found(model.wholesalers, ids.wholesaler));
  switch (amount) {
    case 'part':
      return Math.ceil((limitCents * permille) / 4_000);
    case 'any':
      return Math.ceil((limitCents * permille) / 1_000);
    case 'fits':
      return limitCents - store.usedCents;
    case 'one too much':
      return limitCents - store.usedCents + 1;
    case 'minimum':
      return minimumCents;
    case 'below':
      return minimumCents - 1;
  }
}

function momentIn(model: Model, days: number | undefined): number | undefined {
  return days === undefined ? undefined : model.now + days * DAY_MS;
}

function dateOf(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms);
}
