import { createHash } from 'node:crypto';
import { foldKey } from '@fiado/contracts/fold-key';
import { centsOf } from '@fiado/contracts/money';
import { momentInFormat, textInFormat } from '@fiado/contracts/request-dates';

/** The key of a deposit: each provider’s key counts once, however it is spelled. */
export const DEPOSIT_KEY = {
  table: 'deposits',
  scope: ['payment_provider_id'],
  key: 'clave_de_pago',
  live: () => 'true',
  index: 'deposits_once_folded',
};

/**
 * Why a deposit is unmatched. unknown: no reading of its references exists. ambiguous: the readings
 * of its references lead to more than one user. above-ceiling: it is far more than its user owes.
 * possible-duplicate: another deposit has its provider, references, amount and time under another key.
 * unassigned: ops took it away from the store whose debt it had paid.
 */
export const UNMATCHED_REASONS = [
  'unknown',
  'ambiguous',
  'above-ceiling',
  'possible-duplicate',
  'unassigned',
] as const;
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/** The values that identify a deposit: two notices of a provider with the same values are one deposit. */
export interface DepositValues {
  idFactura: string;
  numeroReferencia: string;
  valorCents: number;
  /** As the provider wrote it. */
  fechaPago: string;
  claveDePago: string;
}

/** SHA-256 of the five values: 100.5 and 100.50 are the same, and an unknown field is no difference. */
export function depositHash(values: DepositValues): Buffer {
  const { idFactura, numeroReferencia, valorCents, fechaPago, claveDePago } = values;
  return createHash('sha256')
    .update(JSON.stringify([idFactura, numeroReferencia, valorCents, fechaPago, claveDePago]))
    .digest();
}

/** A body as `recordDeposit` stored it, with `valor`, or the sandbox, with `valorCents`. */
type Body = Omit<DepositValues, 'valorCents'> & { valor?: number; valorCents?: number };

/** The values of a stored body; undefined for one that was emptied or is none. */
export function valuesOfBody(body: string): DepositValues | undefined {
  let read: Partial<Body> | null;
  try {
    read = JSON.parse(body) as Partial<Body> | null;
  } catch {
    return undefined;
  }
  const { idFactura, numeroReferencia, fechaPago, claveDePago } = read ?? {};
  const texts = { idFactura, numeroReferencia, fechaPago, claveDePago };
  if (!Object.values(texts).every((text) => typeof text === 'string')) return undefined;
  const valorCents = read?.valorCents ?? (read?.valor === undefined ? NaN : centsOf(read.valor));
  return { ...(texts as Omit<DepositValues, 'valorCents'>), valorCents };
}

/** The same values, however their texts are spelled: it is a repeat of the deposit. */
export function isSameDeposit(one: DepositValues, other: DepositValues): boolean {
  return (
    one.valorCents === other.valorCents &&
    one.fechaPago === other.fechaPago &&
    TEXTS.every((field) => foldKey(one[field]) === foldKey(other[field]))
  );
}

const TEXTS = ['idFactura', 'numeroReferencia', 'claveDePago'] as const;

/** A deposit above both limits is not applied until ops decides. */
interface DepositCeiling {
  pesos: number;
  /** Times what the user owes. */
  timesOwed: number;
}

/**
 * Whether a deposit is so large, in itself and compared with what its user owes, that it is more likely a
 * mistake or a fraud than a payment. A fixed amount alone would hold up large customers, a multiple
 * alone everybody who owes little.
 */
export function isAboveCeiling(
  valorCents: number,
  owedCents: number,
  { pesos, timesOwed }: DepositCeiling,
): boolean {
  return valorCents > pesos * 100 && valorCents > owedCents * timesOwed;
}

/** Between two unassignments the status of a deposit only moves on. */
const STATUSES = ['received', 'unmatched', 'applied', 'reversed'] as const;

/** How far a deposit has come: a higher number is a later state. */
export function depositVersion({
  status,
  unassignments,
}: {
  status: (typeof STATUSES)[number];
  unassignments: number;
}): number {
  return STATUSES.indexOf(status) + STATUSES.length * unassignments;
}

/** `YYYY-MM-DD HH:MM:SS.SSS` (`recordDeposit`) in luxon's letters. */
const FORMAT = 'yyyy-MM-dd HH:mm:ss.SSS';

/** Whether a text is a `fechaPago`: exactly the spec's format, and a time that the calendar has. */
export function isPaymentTime(text: string): boolean {
  return momentInFormat(text, FORMAT, 'utc') !== undefined;
}

/**
 * The moment of a `fechaPago`, which is a wall clock's in the provider's time zone.
 * @throws RangeError for a text that isPaymentTime refuses
 */
export function paymentTimeOf(text: string, timeZone: string): Date {
  const moment = momentInFormat(text, FORMAT, timeZone);
  if (moment === undefined) throw new RangeError('A fechaPago is not a time');
  return moment;
}

const DAY_MS = 24 * 60 * 60_000;
/** No payment of ours is older. */
const FIRST_PAYMENT = Date.parse('2000-01-01T00:00:00Z') - DAY_MS;
/** How far the clock and the calendar of a provider may be ahead. */
const MAX_AHEAD_MS = DAY_MS;
/** Nobody reports a payment so late; a wrong month or year is likelier. */
const UNLIKELY_AFTER_MS = 90 * DAY_MS;

/** Whether a payment can have that time: a year 0 or 9999 is a fault of its provider. */
export function isPossibleTime(paidAt: Date, now: Date): boolean {
  return paidAt.getTime() >= FIRST_PAYMENT && paidAt.getTime() <= now.getTime() + MAX_AHEAD_MS;
}

/** Whether a payment is so much older than its notice that somebody should look at its time. */
export function isUnlikelyTime({
  paidAt,
  receivedAt,
}: {
  paidAt: Date;
  receivedAt: Date;
}): boolean {
  return receivedAt.getTime() - paidAt.getTime() > UNLIKELY_AFTER_MS;
}

/** The `fechaPago` of a moment in a provider's time zone. */
export function paymentTimeTextOf(moment: Date, timeZone: string): string {
  return textInFormat(moment, FORMAT, timeZone);
}
