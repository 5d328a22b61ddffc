import type { Coin } from './held';
import type { ModelLine, ModelStatements } from './statements';

/**
 * The rules of the business, written a second time from their sentences and not from the code: as
 * plainly as possible, in memory, one step after the other. It imports nothing of the product.
 * Amounts are integer cents, times are milliseconds since 1970.
 */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** Hours behind UTC. These zones have kept one offset since summer time ended in 2022. */
const ZONES = { 'America/Mexico_City': 6, 'America/Cancun': 5, 'America/Hermosillo': 7 };
export type Zone = keyof typeof ZONES;
/** Of stores that have no time zone. */
export const INSTALLATION_ZONE: Zone = 'America/Mexico_City';
export const IVA_RATE = '0.16';

/** One version of what accounts knows of a corner store. */
export interface Terms {
  status: 'pre-approved' | 'approved';
  limitCents: number;
  interestRate: string;
  timeZone: Zone;
  /** Ids of the wholesalers that it buys from. */
  customerOf: string[];
  /** What each wholesaler's changes of its phone amount to. */
  phoneChanges: PhoneChanges[];
  /** The wholesaler that set its phone, while no code that was sent to it has come back. */
  phoneUnprovenBy: string | null;
}

/** Of one wholesaler; in the order of `customerOf`. */
export interface PhoneChanges {
  count: number;
  /** Until when they hold its larger orders; 0 when they never did, or ops has cleared it. */
  heldUntil: number;
}

/** One version of a wholesaler's settings. */
export interface Settings {
  minimumCents: number;
  commissionRate: string;
  /** A delivery is held for as long. */
  paymentTermDays: number;
  confirmationRequired: boolean;
  overageRate: string;
}

/** What accounts published, and the version that transactions has copied; 0 is none. */
export interface Published<Content> {
  versions: Content[];
  copied: number;
}

/** One version of what payments published about a corner store's defaults. Lists of order ids. */
export interface DefaultsNews {
  overdue: boolean;
  opened: string[];
  closed: string[];
}

export interface ModelStore extends Published<Terms> {
  id: string;
  /** The name by which each wholesaler calls it. */
  externalId: string;
  usedCents: number;
  /** Wrong codes that each wholesaler gave for it since its window of a day began. */
  wrongCodes: Map<string, { count: number; since: number }>;
  /**
   * What transactions takes for the changes of its phone by each wholesaler before the newest hold of
   * it began: codes of later changes went to numbers that nobody proved.
   */
  changesBeforeHold: Map<string, number>;
  /** When each wholesaler changed its phone, and until when that holds its larger orders. */
  phoneChanges: Array<{ by: string; at: number; heldUntil: number }>;
  /** Its phone, since a wholesaler changed it. */
  phone?: string;
  defaults: DefaultsNews[];
  /** The newest version of `defaults` that each service has received. */
  defaultsSeen: { transactions: number; accounts: number };
  balanceCents: number;
  /** Of the balance, what credit notes gave. */
  coins: Coin[];
  /** Whether it ever had a debt: only then does it have a payment reference. */
  hasReference: boolean;
}

interface ModelCode {
  /** Undefined until the SMS was read. */
  text: string | undefined;
  sends: number;
  checks: number;
  expiresAt: number;
  /** Times that the wholesaler had changed the phone that it went to. */
  phoneChanges: number;
}

export interface ModelOrder {
  id: string;
  wholesaler: string;
  store: string;
  number: string | undefined;
  status: 'pending-verification' | 'on-hold' | 'delivered' | 'cancelled' | 'expired';
  amountCents: number;
  interestRate: string;
  commissionRate: string;
  /** The terms of its delivery, from its creation. */
  paymentTermDays: number;
  overageRate: string;
  timeZone: Zone;
  createdAt: number;
  deliveryDate: number | undefined;
  dueAt: number;
  deliveredAt: number | undefined;
  /** What each credit note took off, by its id. */
  credits: Map<string, Parts>;
  /** Changes of the phone when its code was last sent; undefined for an item of a batch. */
  phoneChanges: number | undefined;
  /** Absent for an item of a batch and for a wholesaler without confirmation. */
  code: ModelCode | undefined;
  /** The newest payment news that transactions received: version 1 is the delivery itself. */
  payment: { version: number; owedCents: number; paid: boolean };
  /** The newest default news that named this order. */
  inDefault: { version: number; value: boolean };
}

/** Interest, IVA, principal: in the order in which they are paid. */
export type Parts = [number, number, number];

export interface ModelPayment {
  /** Key of the deposit; null for money of the credit balance. */
  from: string | null;
  paidAt: number;
  /** The product's id; of two payments of one moment the lower id is taken back first. */
  id: string | undefined;
  parts: Parts;
  /** Of money of the credit balance, what credit notes gave. */
  coins: Coin[];
}

export interface ModelDebt {
  order: string;
  store: string;
  dueAt: number;
  owed: Parts;
  /** By credit notes. */
  credited: Parts;
  paid: ModelPayment[];
  inDefault: boolean;
  /** Defaults that a late report of a payment in time withdrew. */
  withdrawn: number;
  creditedAt: number | undefined;
  /** What was still to pay after each version: of the principal, and in all. */
  versions: Array<{ principalCents: number; totalCents: number }>;
}

/** A store says that an order is not its own. */
export interface ModelDispute {
  order: string;
  openedAt: number;
  /** Days that it was open, from one to seven; null while it is. */
  days: number | null;
  /** The newest version that payments has received: 1 is its opening, 2 its end. */
  told: number;
}

export interface ModelDeposit {
  /** The provider's claveDePago. */
  key: string;
  id: string;
  valorCents: number;
  status: 'received' | 'applied' | 'unmatched' | 'reversed';
  /** The order whose idFactura it names, and the store whose numeroReferencia it names. */
  order: string | undefined;
  payer: string | undefined;
  /** Whose debt it paid. */
  store: string | undefined;
  surplusCents: number;
  /** As its provider says. */
  paidAt: number;
  isSigned: boolean;
  receivedAt: number;
}

export interface Model {
  now: number;
  /** Whether transactions can reach accounts. */
  accountsUp: boolean;
  wholesalers: Map<string, Published<Settings>>;
  stores: Map<string, ModelStore>;
  orders: Map<string, ModelOrder>;
  debts: Map<string, ModelDebt>;
  deposits: Map<string, ModelDeposit>;
  disputes: Map<string, ModelDispute>;
  /** By the id of the order that was delivered, or of the credit note. */
  lines: Map<string, ModelLine>;
  /** By wholesaler, from its first closing on. */
  statements: Map<string, ModelStatements>;
  /** Cents of the credit note that waits for a second person, by order. */
  waitingCredits: Map<string, number>;
  /** Credit notes of which payments knows that they are settled. */
  settledNotes: Set<string>;
  /** Ids of messages whose effect took place. */
  received: Set<string>;
}

/** @throws Error when the map has no such key: a fault of the simulation itself */
export function found<Value>(map: Map<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The model does not know ${key}`);
  return value;
}

/** What transactions has copied; undefined before its first version. */
export function copyOf<Content>({ versions, copied }: Published<Content>): Content | undefined {
  return versions[copied - 1];
}

/** What accounts knows now. */
export function newest<Content>({ versions }: Published<Content>): Content {
  const last = versions.at(-1);
  if (last === undefined) throw new Error('Everything in accounts has a version');
  return last;
}

/** What transactions has copied of a wholesaler's changes of the store's phone. */
export function phoneChangesOf(store: ModelStore, wholesaler: string): PhoneChanges {
  const terms = copyOf(store);
  const at = terms?.customerOf.indexOf(wholesaler) ?? -1;
  return terms?.phoneChanges[at] ?? { count: 0, heldUntil: 0 };
}

/** transactions copies a version of a store, if it is newer than its copy. */
export function copyStore(model: Model, store: ModelStore, version: number): void {
  if (version <= store.copied) return;
  const wholesalers = store.versions[version - 1]?.customerOf ?? [];
  const before = new Map(wholesalers.map((one) => [one, phoneChangesOf(store, one)]));
  store.copied = version;
  for (const [wholesaler, { count, heldUntil }] of before) {
    const after = phoneChangesOf(store, wholesaler);
    const isSame = after.count === count && after.heldUntil === heldUntil;
    // Another change during a hold prolongs it.
    if (!isSame && heldUntil <= model.now) store.changesBeforeHold.set(wholesaler, count);
  }
}

/** Whether transactions takes the store for overdue. */
export function isOverdue({ defaults, defaultsSeen }: ModelStore): boolean {
  return defaults[defaultsSeen.transactions - 1]?.overdue ?? false;
}

/** A share of an amount, rounded half up. */
export function share(cents: number, rate: string): number {
  const millionths = Math.round(Number(rate) * 1_000_000);
  return Math.floor((cents * millionths + 500_000) / 1_000_000);
}

/** Interest, IVA and principal of an order as it stands. */
export function priceOf({
  amountCents,
  interestRate,
}: Pick<ModelOrder, 'amountCents' | 'interestRate'>): Parts {
  const interestCents = share(amountCents, interestRate);
  return [interestCents, share(interestCents, IVA_RATE), amountCents];
}

export function sum([interest, iva, principal]: Parts): number {
  return interest + iva + principal;
}

/** The last millisecond of a day, so many days after the moment's own. */
export function endOfDay(moment: number, zone: Zone, days: number): number {
  const offsetMs = ZONES[zone] * HOUR_MS;
  const day = Math.floor((moment - offsetMs) / DAY_MS);
  return (day + days + 1) * DAY_MS + offsetMs - 1;
}
