import type { Db } from '@fiado/chassis/db/database';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { readDays } from '../portfolio/report-days';
import {
  exampleOwnDeposit,
  OWN_COLUMNS,
  type OwnDeposit,
  ownDeposit,
  presentOwnDeposit,
} from './own-deposit';

/** Days of one list. The first page reads all their deposits for its totals. */
const MAX_DAYS = 31;

class OwnDepositsQuery extends PageQuery {
  @About('First day', '2026-11-01')
  @IsDateText()
  from: string;

  @About('Last day, included', '2026-11-30')
  @IsDateText()
  to: string;
}

const depositDay = t.object('DepositDay', {
  day: t.field(t.text, 'Day in your time zone', '2026-10-02'),
  deposits: t.field(t.count, 'Deposits that arrived', 3),
  received: t.field(t.pesos, 'Their sum', 1587),
  reversed: t.field(t.pesos, 'Of them, the sum of those that are reversed by now', 529),
});

export const listOwnDepositsEndpoint = endpoint({
  id: 'listOwnDeposits',
  as: 'payments.listOwnDeposits',
  tag: 'Payments',
  route: 'GET /v1/customer-transaction/payment/deposits',
  scope: 'deposits:write',
  summary: 'List the deposits that you reported, newest first',
  description:
    'For a provider that reconciles: its own deposits, by the day on which they arrived (`receivedAt`) in its ' +
    'time zone, at most 31 days, both included. `days` has the totals, on the first page. A deposit that is not ' +
    'reversed is `received`, whatever it paid. Two first pages at once: one of them is a 429 with `Retry-After`.',
  errors: ['SIGNATURE_NOT_VALID'],
  signed: true,
  query: OwnDepositsQuery,
  answer: t.page('OwnDepositPage', {
    deposits: t.list(ownDeposit, 'Your deposits, newest first'),
    days: t.field(
      t.nullable(t.listOf(depositDay)),
      'Totals of each day with deposits, the oldest first; null on all pages but the first',
    ),
  }),
  example: {
    deposits: [exampleOwnDeposit],
    days: [{ deposits: 1, received: 529, reversed: 0 }],
    nextCursor: null,
  },
  input: ({ query: asked, caller }, { config }: Context) => ({
    ...readDays(asked, MAX_DAYS),
    provider: caller,
    timeZone: caller.timeZone ?? config.TIME_ZONE,
    cursor: asked.cursor,
    limit: asked.limit,
  }),
  handle: async ({ db }: Context, { provider, from, to, timeZone, ...asked }) => {
    const days = [provider.id, provider.name, from, to, timeZone];
    const totals = asked.cursor === undefined ? await totalsOf(db, provider.id, days) : null;
    const found = await pageOfRows<OwnDeposit>(db, asked, {
      select: `SELECT ${OWN_COLUMNS} FROM deposits`,
      from: 'deposits',
      of: { payment_provider_id: provider.id },
      where: { [OF_DAYS]: true },
      by: 'received_at',
      values: days,
    });
    return { ...found, totals };
  },
  present: ({ page, nextCursor, totals }) => ({
    deposits: page.map(presentOwnDeposit),
    days:
      totals?.map(({ day, deposits, receivedCents, reversedCents }) => ({
        day,
        deposits,
        received: amountOf(receivedCents),
        reversed: amountOf(reversedCents),
      })) ?? null,
    nextCursor,
  }),
});

/** The name is that of the id: it is there for the index. */
const OF_DAYS = `payment_provider_id = $1 AND provider_name = $2
  AND received_at >= $3::date::timestamp AT TIME ZONE $5
  AND received_at < ($4::date + 1)::timestamp AT TIME ZONE $5`;

const TOTALS = `
  SELECT (received_at AT TIME ZONE $5)::date::text AS day, count(*)::int AS deposits,
         sum(valor_cents)::bigint AS received_cents,
         coalesce(sum(valor_cents) FILTER (WHERE status = 'reversed'), 0)::bigint AS reversed_cents
    FROM deposits WHERE ${OF_DAYS} GROUP BY 1 ORDER BY 1`;

/** Providers whose totals this process reads now. */
const summing = new Set<string>();

/**
 * One at a time for a provider: a month of a large one takes a while, and with many at once it would take all
 * connections.
 * @throws AppError RATE_LIMIT_EXCEEDED while another request of the provider reads them
 */
async function totalsOf(db: Db, providerId: string, days: unknown[]): Promise<DayRow[]> {
  if (summing.has(providerId)) throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 });
  summing.add(providerId);
  try {
    return await query<DayRow>(db, TOTALS, days);
  } finally {
    summing.delete(providerId);
  }
}

interface DayRow {
  day: string;
  deposits: number;
  receivedCents: number;
  reversedCents: number;
}
