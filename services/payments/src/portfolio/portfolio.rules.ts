/** Days late at the end of a day; `0` is not yet due. */
export const PORTFOLIO_BUCKETS = ['0', '1-7', '8-30', '31-60', '61-90', '91+'] as const;
export type PortfolioBucket = (typeof PORTFOLIO_BUCKETS)[number];

/** Ages at which the unpaid part of a week’s deliveries is kept, in days after the due day. */
export const COHORT_AGES = [0, 7, 15, 30, 60, 90] as const;

/** Portfolio at risk: par30, for example, has the buckets of debts more than 30 days late; par1 has every late debt. */
const AT_RISK = {
  par1: PORTFOLIO_BUCKETS.slice(1),
  par7: PORTFOLIO_BUCKETS.slice(2),
  par30: PORTFOLIO_BUCKETS.slice(3),
  par60: PORTFOLIO_BUCKETS.slice(4),
  par90: PORTFOLIO_BUCKETS.slice(5),
} as const satisfies Record<string, readonly PortfolioBucket[]>;

export type ParName = keyof typeof AT_RISK;
export const PAR_NAMES = Object.keys(AT_RISK) as ParName[];

/** Principal at risk in cents, and its share of the outstanding principal. */
interface AtRisk {
  amountCents: number;
  ratio: number | null;
}

/** The portfolio at risk of open debts, by bucket, in cents of principal. */
export function parOf(
  rows: ReadonlyArray<{ bucket: PortfolioBucket; principalCents: number }>,
): Record<ParName, AtRisk> {
  const sumOf = (buckets: readonly PortfolioBucket[]): number =>
    rows
      .filter(({ bucket }) => buckets.includes(bucket))
      .reduce((sum, { principalCents }) => sum + principalCents, 0);
  const outstanding = sumOf(PORTFOLIO_BUCKETS);
  const riskOf = (name: ParName): AtRisk => {
    const amountCents = sumOf(AT_RISK[name]);
    return { amountCents, ratio: shareOf(amountCents, outstanding) };
  };
  return {
    par1: riskOf('par1'),
    par7: riskOf('par7'),
    par30: riskOf('par30'),
    par60: riskOf('par60'),
    par90: riskOf('par90'),
  };
}

/** A hundredth of a per cent, in decimals of a share. */
const DECIMALS = 4;

/** A share with four decimals; null of nothing. */
export function shareOf(cents: number, ofCents: number): number | null {
  return ofCents === 0 ? null : Number((cents / ofCents).toFixed(DECIMALS));
}
