/** Rates (interest, IVA, commission) have at most this many decimals. */
const RATE_SCALE = 6;
const RATE_UNIT = 10n ** BigInt(RATE_SCALE);

/** Largest amount that one request may name, in cents: 100 million pesos, far above any line. */
export const MAX_AMOUNT_CENTS = 10_000_000_000;

/** Whether a JSON number is an amount: finite, at most two decimals, within ±MAX_AMOUNT_CENTS. */
export function isAmount(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Math.abs(value) <= MAX_AMOUNT_CENTS / 100 &&
    Number(value.toFixed(2)) === value
  );
}

/** Pesos of a request (checked by isAmount) as integer cents. */
export function centsOf(amount: number): number {
  return Math.round(amount * 100);
}

/** An amount as people type it; longer digits are a reference. */
const TYPED_AMOUNT = /^\$?\s?(\d{1,8}|\d{1,3}(?:,\d{3}){1,2})(\.\d{1,2})?$/;

/** Cents of an amount as people type it: 1480, 1,480.50 or $1,480.5. @returns undefined for any other text */
export function typedCents(text: string): number | undefined {
  const [, whole = '', cents = ''] = TYPED_AMOUNT.exec(text) ?? [];
  return whole === '' ? undefined : centsOf(Number(`${whole.replaceAll(',', '')}${cents}`));
}

/** Integer cents as the pesos that the API answers. */
export function amountOf(cents: number): number {
  return cents / 100;
}

/**
 * A share of an amount in cents, rounded half up to whole cents.
 * @param rate a decimal string such as '0.16', at most 6 decimals, not negative
 */
export function shareOf(amountCents: number, rate: string): number {
  const scaled = BigInt(amountCents) * microsOf(rate);
  return Number((scaled + RATE_UNIT / 2n) / RATE_UNIT);
}

/** A rate as text: a plain decimal from 0 to 1, with at most RATE_SCALE decimals. */
const RATE = /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/;

/** Whether a text is a rate that may be set: a plain decimal from 0 to 1, at most 6 decimals. */
export function isRate(value: string): boolean {
  return RATE.test(value);
}

function microsOf(rate: string): bigint {
  if (!RATE.test(rate)) throw new RangeError('A rate is a decimal with at most 6 decimals');
  const [whole = '0', fraction = ''] = rate.split('.');
  return BigInt(whole) * RATE_UNIT + BigInt(fraction.padEnd(RATE_SCALE, '0'));
}
