import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { shareOf } from './portfolio.rules';
import { readDays, ReportDaysQuery } from './report-days';

/** Days of one report: a year, in whole weeks. */
const MAX_DAYS = 371;

const vintage = t.object('Vintage', {
  week: t.field(t.text, 'Monday of the week of delivery', '2026-11-02'),
  wholesalerId: t.idOrNull(
    'Wholesaler that was asked for; null: all',
    '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  ),
  daysAfterDue: t.field(t.count, 'Days after the due day of each debt', 30),
  delivered: t.field(t.pesos, 'Principal that was delivered in the week so far', 50_000),
  reached: t.field(t.pesos, 'Principal of the debts that are that old by now', 50_000),
  unpaid: t.field(t.pesos, 'Principal of them that was unpaid then', 2500),
  ratio: t.field(t.nullable(t.rate), 'Their share; null of nothing', 0.05),
  final: t.field(t.flag, 'All debts of the week are that old', true),
});

export const listVintagesEndpoint = endpoint({
  id: 'listVintages',
  as: 'reports.vintages',
  columns: ['week', 'daysAfterDue', 'delivered', 'reached', 'unpaid', 'ratio', 'final'],
  tag: 'Ops: payments',
  route: 'GET /v1/admin/reports/vintages',
  scope: 'viewer',
  summary: 'List what stayed unpaid of each week’s deliveries',
  description:
    'Weeks of delivery whose Monday is in the period, at most 371 days. For each week the principal ' +
    'that was unpaid 0, 7, 15, 30, 60 and 90 days after the due day of each debt. `reached` is the ' +
    'principal of the debts that are that old by now, and `ratio` the unpaid share of it, null while ' +
    'there are none. `final`: all debts of the week are that old. Debts that are written off count ' +
    'as unpaid. Without `wholesalerId`: the sums of all. 404 if no such week had a delivery yet.',
  query: ReportDaysQuery,
  errors: ['REPORT_NOT_FOUND'],
  answer: t.object('Vintages', {
    vintages: t.list(vintage, 'Weeks of delivery and ages, the oldest first'),
  }),
  example: { vintages: [{ wholesalerId: null, daysAfterDue: 0 }] },
  input: ({ query: { wholesalerId, ...days } }) => ({
    ...readDays(days, MAX_DAYS),
    wholesalerId: wholesalerId ?? null,
  }),
  handle: async ({ db }: Context, { from, to, wholesalerId }) => {
    const last = await queryRow<{ day: string }>(
      db,
      'SELECT day::text FROM portfolio_calendar ORDER BY day DESC LIMIT 1',
    );
    if (last === undefined) throw new AppError('REPORT_NOT_FOUND');
    const rows = await query<VintageRow>(
      db,
      `SELECT week::text, age, week + 6 <= $4::date AS "isOver",
              sum(principal_cents)::bigint AS principal_cents,
              sum(reached_cents)::bigint AS reached_cents, sum(unpaid_cents)::bigint AS unpaid_cents
         FROM portfolio_cohorts
        WHERE week BETWEEN $1 AND $2 AND ($3::uuid IS NULL OR wholesaler_id = $3)
        GROUP BY week, age ORDER BY week, age`,
      [from, to, wholesalerId, last.day],
    );
    if (rows.length === 0) throw new AppError('REPORT_NOT_FOUND');
    return { rows, wholesalerId };
  },
  present: ({ rows, wholesalerId }) => ({
    vintages: rows.map(({ week, age, isOver, principalCents, reachedCents, unpaidCents }) => ({
      week,
      wholesalerId,
      daysAfterDue: age,
      delivered: amountOf(principalCents),
      reached: amountOf(reachedCents),
      unpaid: amountOf(unpaidCents),
      ratio: shareOf(unpaidCents, reachedCents),
      final: isOver && reachedCents === principalCents,
    })),
  }),
});

interface VintageRow {
  week: string;
  age: number;
  /** The week is over, so that no delivery joins it. */
  isOver: boolean;
  principalCents: number;
  reachedCents: number;
  unpaidCents: number;
}
