/**
 * A second opinion: the rules of section 2 of the design, written from its sentences and not from
 * the code, as plainly as possible. Cents and milliseconds; whatever is fast or safe is elsewhere.
 */
import { DAY_MS, MINUTE_MS, type Settings, type StoreTerms, type World } from '../world';

export const HOUR_MS = 60 * MINUTE_MS;
/** Mexico City has kept one offset since it gave up summer time in 2022. */
const MEXICO_OFFSET_MS = 6 * HOUR_MS;
const IVA_MICROS = 160_000;

export interface ModelStore {
  id: string;
  /** What ops said, in the order that it was said: the last is the truth. */
  terms: StoreTerms[];
  /** How many of those the order desk has heard of, by news or by asking; 0 is not even the store. */
  heard: number;
  usedCents: number;
  /** What was told of being overdue, one after the other, and how far it was heard. */
  overdueTold: boolean[];
  overdueHeard: number;
  balanceCents: number;
  /** Whether it ever owed something: only then does it have a payment reference. */
  known: boolean;
}

export interface ModelCode {
  /** Undefined until the store gets it. */
  text: string | undefined;
  /** Counts the codes of this order, so that an old one is told from a new one. */
  generation: number;
  sends: number;
  checks: number;
  expiresAt: number;
}

export interface ModelOrder {
  /** Undefined while nobody outside knows it. */
  id: string | undefined;
  wholesaler: string;
  store: string;
  number: string | undefined;
  status: 'pending-verification' | 'on-hold' | 'delivered' | 'cancelled' | 'expired';
  amountCents: number;
  interestRate: string;
  createdAt: number;
  deliveryDate: number | undefined;
  dueAt: number;
  code: ModelCode | undefined;
  /** What of the principal is owed since the delivery, as the newest news has it. */
  owedCents?: number;
  owedVersion?: number;
}

/** Interests, IVA, principal: in the order that they are paid. */
export type Triple = [number, number, number];

export interface ModelDebt {
  order: ModelOrder;
  owed: Triple;
  /** What reached it and was not taken back; null is money of the credit balance. */
  paid: Array<{ from: string | null; spending: number; parts: Triple }>;
  inDefault: boolean;
}

export interface ModelDeposit {
  id: string;
  valorCents: number;
  status: 'received' | 'applied' | 'unmatched' | 'reversed';
  /** What its payer meant: an order's bill, or a store. */
  bill: ModelOrder | undefined;
  payer: string | undefined;
  store: string | undefined;
  surplusCents: number;
}

export interface Model {
  now: number;
  settings: Map<string, Settings>;
  stores: Map<string, ModelStore>;
  customers: Set<string>;
  accountsAway: boolean;
  orders: ModelOrder[];
  /** In the order that the lender heard of them. */
  debts: ModelDebt[];
  deposits: Map<string, ModelDeposit>;
  /** Messages whose effect took place. */
  heard: Set<string>;
  /** Orders whose code went out, one for each SMS. */
  codesSent: ModelOrder[];
  /** Counts each time that a credit balance is used. */
  spendings: number;
}

export function createModel(world: World): Model {
  return {
    now: world.start.getTime(),
    settings: world.settings,
    customers: world.customers,
    stores: new Map(
      [...world.stores].map(([id, terms]) => [
        id,
        {
          id,
          terms: [terms],
          heard: 0,
          usedCents: 0,
          overdueTold: [],
          overdueHeard: 0,
          balanceCents: 0,
          known: false,
        },
      ]),
    ),
    accountsAway: false,
    orders: [],
    debts: [],
    deposits: new Map(),
    heard: new Set(),
    codesSent: [],
    spendings: 0,
  };
}

export function storeOf(model: Model, id: string): ModelStore {
  const store = model.stores.get(id);
  if (store === undefined) throw new Error(`There is no store ${id}`);
  return store;
}

export function settingsOf(model: Model, wholesaler: string): Settings {
  const settings = model.settings.get(wholesaler);
  if (settings === undefined) throw new Error(`There is no wholesaler ${wholesaler}`);
  return settings;
}

/** The terms that the order desk goes by; undefined for a store that it has not heard of. */
export function heardTerms({ terms, heard }: ModelStore): StoreTerms | undefined {
  return terms[heard - 1];
}

export function isOverdue({ overdueTold, overdueHeard }: ModelStore): boolean {
  return overdueTold[overdueHeard - 1] ?? false;
}

/** Half up, per line. */
export function share(cents: number, micros: number): number {
  return Math.floor((cents * micros + 500_000) / 1_000_000);
}

export function microsOf(rate: string): number {
  return Math.round(Number(rate) * 1_000_000);
}

/** interests, IVA, principal of an order as it stands. */
export function priceOfOrder({ amountCents, interestRate }: ModelOrder): Triple {
  const interestCents = share(amountCents, microsOf(interestRate));
  return [interestCents, share(interestCents, IVA_MICROS), amountCents];
}

/** The last millisecond of a day in Mexico City, so many days after the moment's. */
export function endOfMexicanDay(moment: number, days: number): number {
  const day = Math.floor((moment - MEXICO_OFFSET_MS) / DAY_MS);
  return (day + days + 1) * DAY_MS + MEXICO_OFFSET_MS - 1;
}

/** When an order that nobody takes further gives its credit back. */
export function endOf({ status, createdAt, deliveryDate }: ModelOrder): number {
  if (status === 'pending-verification') return createdAt + 24 * HOUR_MS;
  if (status === 'on-hold') return (deliveryDate ?? createdAt) + 30 * DAY_MS;
  return Infinity;
}
