/**
 * An amount of the API as integer cents: amounts are pesos with at most two decimals, and sums of
 * such numbers drift.
 * @throws RangeError for a number that is no amount
 */
export function cents(amount: number): number {
  const rounded = Math.round(amount * 100);
  if (!Number.isSafeInteger(rounded) || rounded / 100 !== amount) {
    throw new RangeError(`${amount} is not an amount with at most two decimals`);
  }
  return rounded;
}
