import type { PaymentFigures } from '@fiado/contracts/ops-figures';

const AFTER_30_DAYS = new Set(['31-60', '61+']);
/** Decimals of the share: a hundredth of a per cent. */
const DECIMALS = 4;

/**
 * Portfolio at risk (PAR30): the share of the outstanding debts that is overdue for more than 30 days.
 * @returns null if nothing is outstanding
 */
export function parAfter30Days(ageing: PaymentFigures['ageing']): number | null {
  const sumOf = (buckets: PaymentFigures['ageing']): number =>
    buckets.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const outstanding = sumOf(ageing);
  if (outstanding === 0) return null;
  const atRisk = sumOf(ageing.filter(({ bucket }) => AFTER_30_DAYS.has(bucket)));
  return Number((atRisk / outstanding).toFixed(DECIMALS));
}
