import { atOnce, finishRunning, passTime, type History } from '../history';
import { rowOf, say } from '../house/house';
import { expireOrders } from '../house/live-orders';
import { expectExpiries } from '../model/live-orders';
import { storeOf } from '../model/model';
import { DAY_MS, MINUTE_MS, drawRate, drawStatus, type StoreTerms } from '../world';

/** Ops approves, rejects, or sets another limit or rate; the order desk hears of it later. */
export function changeStore(history: History): void {
  const { random, house, model } = history;
  const id = random.pick([...house.accounts.stores.keys()]);
  const row = rowOf(house.accounts.stores, id);
  const { limitCents } = row;
  const terms: StoreTerms = {
    status: random.chance(0.2) ? drawStatus(random) : row.status,
    limitCents: random.pick([limitCents, Math.floor(limitCents / 2), 50_000, 120_001]),
    interestRate: random.chance(0.2) ? drawRate(random) : row.interestRate,
  };
  // What was turned away is let in again, so that histories go on.
  if (row.status !== 'approved') terms.status = 'approved';
  const version = row.version + 1;
  house.accounts.stores.set(id, { ...terms, version });
  say(house, { type: 'corner-store.changed', cornerStoreId: id, version, terms });
  storeOf(model, id).terms.push(terms);
  atOnce(history, `ops says of ${id} ${JSON.stringify(terms)}`, undefined, undefined);
}

/** accounts goes away or comes back. */
export function toggleAccounts(history: History): void {
  const { house, model } = history;
  house.accounts.away = !house.accounts.away;
  model.accountsAway = house.accounts.away;
  atOnce(history, `accounts is ${house.accounts.away ? 'away' : 'back'}`, undefined, undefined);
}

/** Time goes on; what is on its way then has ended, for no request takes minutes. */
export function wait(history: History): void {
  finishRunning(history);
  const { random } = history;
  const ms = random.pick([
    random.below(3 * MINUTE_MS),
    random.below(12 * MINUTE_MS),
    random.below(DAY_MS),
    random.below(8 * DAY_MS),
    random.chance(0.3) ? 31 * DAY_MS : MINUTE_MS,
  ]);
  passTime(history, ms);
  atOnce(history, `${Math.round(ms / MINUTE_MS)} minutes pass`, undefined, undefined);
}

/** The sweep of orders that nobody took further. */
export function expire(history: History): void {
  expireOrders(history.house);
  expectExpiries(history.model);
  atOnce(history, 'expiries', undefined, undefined);
}
