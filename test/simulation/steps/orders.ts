import type { BatchItem } from '../../../services/transactions/src/domain/batch';
import { fail } from '../checks';
import { atOnce, run, type History } from '../history';
import { createBatch, createOrder, type OrderCommand, type Outcome } from '../house/create-orders';
import type { OrderRow } from '../house/house';
import { cancelOrder, confirmOrder, deliverOrder, resendCode } from '../house/live-orders';
import { orderOf } from '../model/hear';
import {
  expectCancellation,
  expectConfirmation,
  expectDelivery,
  expectResend,
} from '../model/live-orders';
import { expectBatch, expectOrder, type Verdict } from '../model/orders';
import { DAY_MS, MINUTE_MS } from '../world';

/** A few order ids only, so that they meet again. */
const ORDER_NUMBERS = ['A', 'B', 'C', 'D', 'E', 'F'];

export function order(history: History): void {
  const command = drawCommand(history);
  run(history, {
    label: `order ${JSON.stringify(command)}`,
    house: createOrder(history.house, command),
    model: expectOrder(history.model, command),
    settle: (actual, expected) => settleOrder(actual as Outcome, expected as Verdict),
  });
}

export function batch(history: History): void {
  const { random, house, model } = history;
  const wholesaler = random.pick([...house.settings.keys()]);
  const items = Array.from({ length: random.between(1, 4) }, (): BatchItem => {
    const { linked: _, wholesalerId: __, ...item } = drawCommand(history);
    const ages = [undefined, undefined, -MINUTE_MS, 6 * DAY_MS, 8 * DAY_MS];
    const age = random.pick(ages);
    const movementDate = age === undefined ? undefined : new Date(model.now - age);
    return { ...item, movementDate, products: [], metadata: {} };
  });
  run(history, {
    label: `batch of ${wholesaler} ${JSON.stringify(items)}`,
    house: createBatch(house, wholesaler, items),
    model: expectBatch(model, wholesaler, items),
    settle: (actual, expected) => {
      if (!Array.isArray(actual) || !Array.isArray(expected)) {
        return settleOrder(actual as Outcome, expected as Verdict);
      }
      actual.forEach((one, index) => settleOrder(one as Outcome, expected[index] as Verdict));
    },
  });
}

export function confirm(history: History): void {
  const row = pickOrder(history, ({ status }) => status === 'pending-verification');
  if (row === undefined) return;
  const { random, house, model } = history;
  const codes = house.transactions.codes.filter(({ transactionId }) => transactionId === row.id);
  const sent = codes.length > 0 ? random.pick([codes.at(-1)!, random.pick(codes)]).code : '123456';
  const code = random.chance(0.2) ? String((Number(sent) + 1) % 1_000_000).padStart(6, '0') : sent;
  run(history, {
    label: `confirm ${row.id} with ${code}`,
    house: confirmOrder(house, row.id, code),
    model: expectConfirmation(model, orderOf(model, row.id), code),
    settle: settleText,
  });
}

export function resend(history: History): void {
  const row = pickOrder(history, ({ verification }) => verification !== undefined);
  if (row === undefined) return;
  const { house, model } = history;
  const expected = expectResend(model, orderOf(model, row.id));
  atOnce(history, `resend ${row.id}`, resendCode(house, row.id), expected);
}

export function deliver(history: History): void {
  const row = pickOrder(history, ({ status }) => status === 'on-hold');
  if (row === undefined) return;
  const { random, house, model } = history;
  const ordered = row.amountCents;
  const amount = random.pick([
    ordered,
    random.between(1, ordered),
    // Around the largest that any overage allows.
    ordered + random.pick([0, 1, 2, -1]) + Math.round(ordered * random.pick([0, 0.1, 0.333333])),
    random.between(ordered, ordered * 2),
  ]);
  const amountCents = Math.max(1, amount);
  run(history, {
    label: `deliver ${row.id} for ${amountCents}`,
    house: deliverOrder(house, row.id, amountCents),
    model: expectDelivery(model, orderOf(model, row.id), amountCents),
    settle: settleText,
  });
}

export function cancel(history: History): void {
  const row = pickOrder(history, () => true);
  if (row === undefined) return;
  const { house, model } = history;
  const expected = expectCancellation(model, orderOf(model, row.id));
  atOnce(history, `cancel ${row.id}`, cancelOrder(house, row.id), expected);
}

/** Mostly an order of the wanted kind, at times any other. */
function pickOrder(
  { random, house }: History,
  wanted: (order: OrderRow) => boolean,
): OrderRow | undefined {
  const all = [...house.transactions.orders.values()].filter(
    (row) => wanted(row) || (row.verification !== undefined && random.chance(0.1)),
  );
  return all.length === 0 ? undefined : random.pick(all);
}

function drawCommand({ random, house, model }: History): OrderCommand {
  const wholesalerId = random.pick([...house.settings.keys()]);
  const cornerStoreId = random.pick([...house.accounts.stores.keys()]);
  const { limitCents } = house.accounts.stores.get(cornerStoreId)!;
  const used = house.transactions.lines.get(cornerStoreId)?.usedCents ?? 0;
  const minimum = house.settings.get(wholesalerId)!.minimumCents;
  const amount = random.pick([
    random.between(1, limitCents),
    random.between(1, Math.ceil(limitCents / 4)),
    random.between(1, Math.ceil(limitCents / 4)),
    limitCents - used + random.pick([0, 1]),
    minimum + random.pick([0, -1]),
  ]);
  return {
    wholesalerId,
    cornerStoreId,
    amountCents: Math.max(1, amount),
    wholesalerTransactionId: random.chance(0.3) ? random.pick(ORDER_NUMBERS) : undefined,
    deliveryDate: random.chance(0.3)
      ? new Date(model.now + random.pick([-1, 1, 3, 10]) * DAY_MS)
      : undefined,
    linked: random.chance(0.2),
  };
}

/** Both accept or both say the same; the model then calls its order by the house's id. */
function settleOrder(actual: Outcome | { refusals: string[] }, expected: Verdict): void {
  if ('transactionId' in actual) {
    if (!('order' in expected)) return fail('an order that should be refused', expected);
    expected.order.id = actual.transactionId;
    return;
  }
  const said = 'refusals' in actual ? actual.refusals : [actual.refusal];
  const due = 'refusals' in expected ? expected.refusals : [];
  if (said.join() !== due.join()) fail('why an order is refused', { said, due });
}

function settleText(actual: unknown, expected: unknown): void {
  if (actual !== expected) fail('how it ends', { actual, expected });
}
