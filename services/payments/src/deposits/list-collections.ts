import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { readDays } from '../portfolio/report-days';
import { depositFields } from './deposit';
import type { DepositRow } from './deposit.entity';

/** Days of one report. It reads their deposits, so a year of a large lender would be slow. */
const MAX_DAYS = 31;

class CollectionsQuery {
  @About('First day', '2026-11-01')
  @IsDateText()
  from: string;

  @About('Last day, included', '2026-11-30')
  @IsDateText()
  to: string;
}

const collection = t.object('Collection', {
  day: t.field(t.text, 'Day in the lender’s time zone', '2026-11-22'),
  paymentProviderId: fields.paymentProviderId,
  paymentProvider: depositFields.paymentProvider,
  deposits: t.field(t.count, 'Deposits that arrived', 3),
  received: t.field(t.pesos, 'Their sum', 1587),
  collected: t.field(t.pesos, 'Of deposits that paid debts or are credit balance', 1058),
  waiting: t.field(t.pesos, 'Of deposits that are not processed yet', 0),
  unmatched: t.field(t.pesos, 'Of deposits that belong to no store yet', 529),
  reversed: t.field(t.pesos, 'Of deposits that were reversed', 0),
});

export const listCollectionsEndpoint = endpoint({
  id: 'listCollections',
  as: 'reports.collections',
  columns: [
    'day',
    'paymentProvider',
    'deposits',
    'received',
    'collected',
    'waiting',
    'unmatched',
    'reversed',
  ],
  tag: 'Ops: payments',
  route: 'GET /v1/admin/reports/collections',
  scope: 'viewer',
  summary: 'List what payment providers reported on each day, and what of it is collected',
  description:
    'By the day on which a deposit arrived, in the lender’s time zone, at most 31 days, both included. ' +
    '`received` is the sum of `collected`, `waiting`, `unmatched` and `reversed`, by the state that ' +
    'the deposits have now: one that was reversed or never matched is not collected.',
  query: CollectionsQuery,
  answer: t.object('Collections', {
    collections: t.list(collection, 'Days and payment providers, the oldest day first'),
  }),
  input: ({ query: days }) => readDays(days, MAX_DAYS),
  handle: ({ db, config }: Context, { from, to }) =>
    query<CollectionRow>(
      db,
      `SELECT (received_at AT TIME ZONE $3)::date::text AS day, payment_provider_id,
              max(provider_name) AS provider_name, count(*)::int AS deposits,
              sum(valor_cents)::bigint AS received_cents,
              ${sumOf('applied')} AS collected_cents, ${sumOf('received')} AS waiting_cents,
              ${sumOf('unmatched')} AS unmatched_cents, ${sumOf('reversed')} AS reversed_cents
         FROM deposits
        WHERE received_at >= $1::date::timestamp AT TIME ZONE $3
          AND received_at < ($2::date + 1)::timestamp AT TIME ZONE $3
        GROUP BY 1, 2 ORDER BY 1, 3, 2`,
      [from, to, config.TIME_ZONE],
    ),
  present: (rows) => ({
    collections: rows.map((row) => ({
      day: row.day,
      paymentProviderId: row.paymentProviderId,
      paymentProvider: row.providerName,
      deposits: row.deposits,
      received: amountOf(row.receivedCents),
      collected: amountOf(row.collectedCents),
      waiting: amountOf(row.waitingCents),
      unmatched: amountOf(row.unmatchedCents),
      reversed: amountOf(row.reversedCents),
    })),
  }),
});

interface CollectionRow extends Pick<DepositRow, 'paymentProviderId'> {
  day: string;
  providerName: string;
  deposits: number;
  receivedCents: number;
  collectedCents: number;
  waitingCents: number;
  unmatchedCents: number;
  reversedCents: number;
}

function sumOf(status: 'applied' | 'received' | 'unmatched' | 'reversed'): string {
  return `coalesce(sum(valor_cents) FILTER (WHERE status = '${status}'), 0)::bigint`;
}
