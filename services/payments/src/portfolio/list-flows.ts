import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { readDays, ReportDaysQuery } from './report-days';

/** Days of one report: a year. */
const MAX_DAYS = 366;

const amounts = t.object('FlowAmounts', {
  principal: t.field(t.pesos, 'Price of the goods', 500),
  interests: fields.interests,
  IVAAmount: fields.IVAAmount,
});

const flow = t.object('PortfolioFlow', {
  day: t.field(t.text, 'Day in the lender’s time zone', '2026-11-22'),
  wholesalerId: t.idOrNull(
    'Wholesaler that was asked for; null: all',
    '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  ),
  delivered: t.field(amounts, 'Debts of the deliveries'),
  credited: t.field(amounts, 'What credit notes took off debts that are not written off'),
  collected: t.field(amounts, 'Payments less reversals, of debts that are not written off'),
  writtenOff: t.field(amounts, 'What was written off'),
  recovered: t.field(t.pesos, 'Payments less reversals, of debts that are written off', 0),
  cash: t.field(t.pesos, 'Part of collected and recovered that came by deposit', 500),
});

const nothing = { principal: 0, interests: 0, IVAAmount: 0 };

export const listFlowsEndpoint = endpoint({
  id: 'listPortfolioFlows',
  as: 'reports.flows',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/reports/flows',
  scope: 'viewer',
  summary: 'List what moved in the portfolio on each day',
  description:
    'From one day to another, both included, at most 366. The outstanding amounts of two days differ ' +
    'by `delivered` less `credited`, `collected` and `writtenOff`. `collected` are payments less ' +
    'reversals, on the day of their booking, without credit notes; a day may be below zero. ' +
    '`recovered` was paid on debts that are written off. `cash` is the part of collected and recovered ' +
    'that came by deposit; the rest was paid with credit balances. Without `wholesalerId`: the sums of ' +
    'all. 404 if no day of the period is there yet.',
  query: ReportDaysQuery,
  errors: ['REPORT_NOT_FOUND'],
  answer: t.object('PortfolioFlows', { flows: t.list(flow, 'Days, the oldest first') }),
  example: {
    flows: [
      {
        wholesalerId: null,
        credited: nothing,
        collected: { principal: 471 },
        writtenOff: nothing,
      },
    ],
  },
  input: ({ query: { wholesalerId, ...days } }) => ({
    ...readDays(days, MAX_DAYS),
    wholesalerId: wholesalerId ?? null,
  }),
  // A row for each day that is in the books, also one on which nothing moved.
  handle: async ({ db }: Context, { from, to, wholesalerId }) => {
    const flows = await query<FlowRow>(
      db,
      `SELECT day::text, ${parts('delivered')} AS delivered, ${parts('credited')} AS credited,
              ${parts('collected')} AS collected, ${parts('written_off')} AS "writtenOff",
              coalesce(sum(recovered_cents), 0)::bigint AS recovered_cents,
              coalesce(sum(cash_cents), 0)::bigint AS cash_cents
         FROM portfolio_calendar
         LEFT JOIN (SELECT * FROM portfolio_flows
                     WHERE day BETWEEN $1 AND $2 AND ($3::uuid IS NULL OR wholesaler_id = $3)) flows
              USING (day)
        WHERE day BETWEEN $1 AND $2
        GROUP BY day ORDER BY day`,
      [from, to, wholesalerId],
    );
    if (flows.length === 0) throw new AppError('REPORT_NOT_FOUND');
    return { flows, wholesalerId };
  },
  present: ({ flows, wholesalerId }) => ({
    flows: flows.map((row) => ({
      day: row.day,
      wholesalerId,
      delivered: presentAmounts(row.delivered),
      credited: presentAmounts(row.credited),
      collected: presentAmounts(row.collected),
      writtenOff: presentAmounts(row.writtenOff),
      recovered: amountOf(row.recoveredCents),
      cash: amountOf(row.cashCents),
    })),
  }),
});

/** Cents of principal, interest and IVA. */
type Cents = [principal: number, interest: number, iva: number];

interface FlowRow {
  day: string;
  delivered: Cents;
  credited: Cents;
  collected: Cents;
  writtenOff: Cents;
  recoveredCents: number;
  cashCents: number;
}

/** As JSON, whose numbers are exact below 2^53; an array of bigint would arrive as texts. */
function parts(name: string): string {
  const sums = ['principal', 'interest', 'iva'].map(
    (part) => `coalesce(sum(${name}_${part}_cents), 0)`,
  );
  return `jsonb_build_array(${sums.join(', ')})`;
}

function presentAmounts([principal, interest, iva]: Cents): t.AnswerOf<typeof amounts> {
  return {
    principal: amountOf(principal),
    interests: amountOf(interest),
    IVAAmount: amountOf(iva),
  };
}
