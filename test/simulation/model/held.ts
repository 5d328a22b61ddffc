import type { Model, ModelPayment, ModelStore } from './model';

/**
 * Money of a store that a credit note gave. It pays debts, and goes to nobody else before each note that gave
 * it is settled: then its wholesaler has given it back.
 */
export interface Coin {
  cents: number;
  /** The deposit whose surplus it is; null when a debt gave it back that the balance had paid. */
  from: string | null;
  notes: string[];
}

function heldOf(model: Model, coins: Coin[]): Coin[] {
  return coins.filter(({ notes }) => notes.some((note) => !model.settledNotes.has(note)));
}

const worth = (coins: Coin[]): number => coins.reduce((sum, { cents }) => sum + cents, 0);

/** What of a store's credit balance is not paid out. */
export function heldCents(model: Model, store: ModelStore): number {
  return worth(heldOf(model, store.coins));
}

/** Takes so many cents out of coins, the first ones first, and only out of some. */
function take(coins: Coin[], cents: number, only: (coin: Coin) => boolean = () => true): Coin[] {
  const taken: Coin[] = [];
  for (const coin of coins.filter(only)) {
    const part = Math.min(coin.cents, Math.max(0, cents - worth(taken)));
    if (part === 0) continue;
    taken.push({ ...coin, cents: part });
    coin.cents -= part;
  }
  return taken;
}

/** What pays with a store's balance: what is free first. It answers the held coins that it used. */
export function purseOf(model: Model, store: ModelStore): (cents: number) => Coin[] {
  let freeCents = store.balanceCents - heldCents(model, store);
  return (cents) => {
    const ofFree = Math.min(freeCents, cents);
    freeCents -= ofFree;
    return take(heldOf(model, store.coins), cents - ofFree);
  };
}

/** A payment loses so many cents to the balance, the held ones first. A note that takes them holds all. */
export function giveBack(
  model: Model,
  store: ModelStore,
  { payment, cents, note }: { payment: ModelPayment; cents: number; note?: string },
): void {
  const notes = note === undefined ? [] : [note];
  const again = take(heldOf(model, payment.coins), cents);
  store.coins.push(...again.map((coin) => ({ ...coin, notes: [...coin.notes, ...notes] })));
  const freeCents = cents - worth(again);
  if (note !== undefined) store.coins.push({ cents: freeCents, from: payment.from, notes });
}

/** The surplus of a deposit leaves the balance: its own coins, then what is free, then other coins. */
export function takeSurplus(
  model: Model,
  store: ModelStore,
  { key, surplusCents }: { key: string; surplusCents: number },
): void {
  const held = heldOf(model, store.coins);
  const freeCents = store.balanceCents - worth(held);
  const own = take(held, surplusCents, ({ from }) => from === key);
  take(held, surplusCents - worth(own) - freeCents);
}
