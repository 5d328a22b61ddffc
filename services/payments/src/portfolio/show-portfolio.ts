import { IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import {
  PAR_NAMES,
  parOf,
  PORTFOLIO_BUCKETS,
  type ParName,
  type PortfolioBucket,
} from './portfolio.rules';
import { readDay } from './report-days';

/** Wholesalers in the answer: those with the largest debts. */
const MAX_WHOLESALERS = 500;

class PortfolioQuery {
  @About('Day; without it the last one', '2026-11-22')
  @IsOptional()
  @IsDateText()
  asOf?: string;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;
}

const atRisk = t.object('PortfolioAtRisk', {
  amount: t.field(t.pesos, 'Their principal', 500),
  ratio: t.field(t.nullable(t.rate), 'Their share; null of nothing', 0.05),
});
const par = t.object(
  'PortfolioPar',
  Object.fromEntries(
    PAR_NAMES.map((name) => {
      const late = name === 'par1' ? 'late' : `more than ${name.slice(3)} days late`;
      return [name, t.field(atRisk, `Debts that are ${late}`)];
    }),
  ) as Record<ParName, typeof atRisk>,
);

const wholesalerPortfolio = t.object('WholesalerPortfolio', {
  wholesalerId: fields.wholesalerId,
  debts: t.field(t.count, 'Number of debts', 20),
  outstanding: t.field(t.pesos, 'Principal of the open debts that are not written off', 10_000),
  par: t.field(par, 'Portfolio at risk, by the days that debts are late'),
  writtenOff: t.field(t.pesos, 'Principal that was written off, up to the day', 500),
});

const examplePar = {
  par1: { amount: 1500, ratio: 0.15 },
  par7: { amount: 1000, ratio: 0.1 },
  par30: { amount: 500, ratio: 0.05 },
  par60: { amount: 500, ratio: 0.05 },
  par90: { amount: 0, ratio: 0 },
};

export const showPortfolioEndpoint = endpoint({
  id: 'showPortfolio',
  as: 'reports.portfolio',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/reports/portfolio',
  scope: 'viewer',
  summary: 'Show the portfolio at the end of a day',
  description:
    'Open debts that are not written off, by the days that they are late, and the portfolio at risk: ' +
    '`par1` is the principal of all late debts, `par30` of those more than 30 days late. A ratio is of ' +
    '`outstanding`, which is principal, without interest and IVA. A day is there ten minutes after its ' +
    'midnight in the lender’s time zone, and never changes: what is booked later counts in its own ' +
    'day. `writtenOff` is the principal of all write-offs up to the day. The 500 wholesalers with the ' +
    'largest debts.',
  query: PortfolioQuery,
  errors: ['REPORT_NOT_FOUND'],
  answer: t.object('Portfolio', {
    asOf: t.field(t.text, 'Day whose end the amounts are of', '2026-11-22'),
    outstanding: t.field(t.pesos, 'Principal of the open debts that are not written off', 10_000),
    buckets: t.list(
      t.object('PortfolioBucket', {
        bucket: t.field(t.oneOf(PORTFOLIO_BUCKETS), 'Days late; `0`: not yet'),
        debts: t.field(t.count, 'Number of debts', 20),
        principal: t.field(t.pesos, 'Price of the goods', 500),
        interests: fields.interests,
        IVAAmount: fields.IVAAmount,
      }),
      'These debts by the days that they are late',
    ),
    par: t.field(par, 'Portfolio at risk, by the days that debts are late'),
    writtenOff: t.field(t.pesos, 'Principal that was written off, up to the day', 500),
    wholesalers: t.list(wholesalerPortfolio, 'Wholesalers, the largest debts first'),
  }),
  example: {
    buckets: [
      { debts: 17, principal: 8500, interests: 425, IVAAmount: 68 },
      { bucket: '1-7', debts: 1 },
      { bucket: '8-30', debts: 1 },
      { bucket: '31-60', debts: 0, principal: 0, interests: 0, IVAAmount: 0 },
      { bucket: '61-90', debts: 1 },
      { bucket: '91+', debts: 0, principal: 0, interests: 0, IVAAmount: 0 },
    ],
    par: examplePar,
    wholesalers: [{ par: examplePar }],
  },
  input: ({ query: { asOf, wholesalerId } }) => ({
    day: asOf === undefined ? null : readDay('asOf', asOf),
    wholesalerId: wholesalerId ?? null,
  }),
  handle: showPortfolio,
  present: ({ asOf, total, buckets, wholesalers }) => ({
    asOf,
    ...presentSums(total),
    buckets: buckets.map((row) => ({
      bucket: row.bucket,
      debts: row.debts,
      principal: amountOf(row.principalCents),
      interests: amountOf(row.interestCents),
      IVAAmount: amountOf(row.ivaCents),
    })),
    wholesalers: wholesalers.map(({ wholesalerId, debts, ...sums }) => ({
      wholesalerId,
      debts,
      ...presentSums(sums),
    })),
  }),
});

interface BucketRow {
  bucket: PortfolioBucket;
  debts: number;
  principalCents: number;
  interestCents: number;
  ivaCents: number;
}

interface Sums {
  rows: ReadonlyArray<{ bucket: PortfolioBucket; principalCents: number }>;
  writtenOffCents: number;
}

/**
 * Reads a day of the portfolio, of all wholesalers or of one.
 * @param day such as 2026-12-07; null is the last day
 * @throws AppError REPORT_NOT_FOUND for a day that is not in the books
 */
async function showPortfolio(
  { db }: Context,
  { day, wholesalerId }: { day: string | null; wholesalerId: string | null },
) {
  const found = await queryRow<{ asOf: string }>(
    db,
    `SELECT day::text AS "asOf" FROM portfolio_calendar
      WHERE $1::date IS NULL OR day = $1 ORDER BY day DESC LIMIT 1`,
    [day],
  );
  if (found === undefined) throw new AppError('REPORT_NOT_FOUND');
  const { asOf } = found;
  // A day that is stored does not change, so these two statements agree.
  const buckets = await query<BucketRow>(
    db,
    `SELECT bucket, coalesce(sum(debts), 0)::int AS debts,
            coalesce(sum(principal_cents), 0)::bigint AS principal_cents,
            coalesce(sum(interest_cents), 0)::bigint AS interest_cents,
            coalesce(sum(iva_cents), 0)::bigint AS iva_cents
       FROM unnest($3::text[]) WITH ORDINALITY AS bucket (bucket, place)
       LEFT JOIN (SELECT * FROM portfolio_days
                   WHERE day = $1 AND ($2::uuid IS NULL OR wholesaler_id = $2)) of_day USING (bucket)
      GROUP BY bucket, place ORDER BY place`,
    [asOf, wholesalerId, PORTFOLIO_BUCKETS],
  );
  const { writtenOffCents } = await queryOne<{ writtenOffCents: number }>(
    db,
    `SELECT coalesce(sum(written_off_principal_cents), 0)::bigint AS written_off_cents
       FROM portfolio_flows
      WHERE day <= $1 AND ($2::uuid IS NULL OR wholesaler_id = $2)
        AND written_off_principal_cents > 0`,
    [asOf, wholesalerId],
  );
  const wholesalers = await query<Sums & { wholesalerId: string; debts: number }>(
    db,
    `WITH of_day AS (
       SELECT wholesaler_id, sum(debts)::int AS debts, sum(principal_cents) AS principal,
              jsonb_agg(jsonb_build_object('bucket', bucket, 'principalCents', principal_cents))
                AS rows
         FROM portfolio_days WHERE day = $1 AND ($2::uuid IS NULL OR wholesaler_id = $2)
        GROUP BY wholesaler_id),
     written_off AS (
       SELECT wholesaler_id, sum(written_off_principal_cents)::bigint AS cents
         FROM portfolio_flows
        WHERE day <= $1 AND ($2::uuid IS NULL OR wholesaler_id = $2)
          AND written_off_principal_cents > 0
        GROUP BY wholesaler_id)
     SELECT wholesaler_id, coalesce(debts, 0) AS debts, coalesce(rows, '[]') AS rows,
            coalesce(cents, 0) AS written_off_cents
       FROM of_day FULL JOIN written_off USING (wholesaler_id)
      ORDER BY principal DESC NULLS LAST, wholesaler_id LIMIT ${MAX_WHOLESALERS}`,
    [asOf, wholesalerId],
  );
  return { asOf, total: { rows: buckets, writtenOffCents }, buckets, wholesalers };
}

function presentSums({ rows, writtenOffCents }: Sums) {
  const risks = parOf(rows);
  const presentRisk = (name: ParName): t.AnswerOf<typeof atRisk> => ({
    amount: amountOf(risks[name].amountCents),
    ratio: risks[name].ratio,
  });
  return {
    outstanding: amountOf(rows.reduce((sum, { principalCents }) => sum + principalCents, 0)),
    par: {
      par1: presentRisk('par1'),
      par7: presentRisk('par7'),
      par30: presentRisk('par30'),
      par60: presentRisk('par60'),
      par90: presentRisk('par90'),
    },
    writtenOff: amountOf(writtenOffCents),
  };
}
