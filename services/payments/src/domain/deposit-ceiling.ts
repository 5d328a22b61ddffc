/** A deposit above both limits is not applied until ops decides. */
export interface DepositCeiling {
  pesos: number;
  /** Times what the user owes. */
  timesOwed: number;
}

/**
 * Whether a deposit is so large, in itself and beside what its user owes, that it is more likely a
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
