import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { LimitQuery } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import { IsOptional } from 'class-validator';
import type { Context } from '../context';
import { showTimeline, type ShownEntry } from '../use-cases/show-timeline';
import { EXAMPLE_IDS } from './examples';

/** Longer than an ISO 8601 timestamp, in characters. */
const MAX_MOMENT = 40;
/** Longer than any cursor, in characters. */
const MAX_CURSOR = 300;
/** A time in microseconds and the key of an entry. */
const CURSOR = /^(\d{1,16}) ([\w.:-]{1,200})$/;

const SERVICES = ['accounts', 'transactions', 'payments', 'notifier'] as const;

class GetTimelineQuery extends LimitQuery {
  /** First day or moment. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  from?: string;

  /** Day or moment before which the entries are. */
  @IsOptional()
  @IsText(MAX_MOMENT)
  to?: string;

  /** The nextCursor of the page before. */
  @IsOptional()
  @IsText(MAX_CURSOR)
  cursor?: string;
}

export const getTimelineEndpoint = endpoint({
  id: 'getTimeline',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/timeline',
  scope: 'viewer',
  summary: 'Get what happened to a corner store, newest first',
  description:
    'Entries of all services: onboarding and audit (accounts), orders, credit and refused requests ' +
    '(transactions), debts, payments and defaults (payments), SMS (notifier). A service that does ' +
    'not answer is named in `missing`, and the page has none of its entries. `from` is included, ' +
    '`to` is not; a date means the start of that day in the time zone of the lender. Messages are ' +
    'deleted after 90 days, refusals after 30.',
  query: GetTimelineQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.object('Timeline', {
    entries: t.listOf(
      t.object('TimelineEntry', {
        entryId: t.text,
        occurredAt: t.timestamp,
        service: t.oneOf(SERVICES),
        type: t.text,
        wholesalerId: t.nullable(t.uuid),
        subjectId: t.nullable(t.uuid),
        details: t.freeForm,
      }),
    ),
    nextCursor: t.nullable(t.text),
    missing: t.listOf(t.oneOf(SERVICES)),
  }),
  example: {
    entries: [
      {
        entryId: 'order.created:0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
        occurredAt: '2026-09-21T16:04:05.678Z',
        service: 'transactions',
        type: 'order.created',
        wholesalerId: EXAMPLE_IDS.wholesalerId,
        subjectId: '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
        details: { incrementalID: 1024, totalAmount: 529 },
      },
    ],
    nextCursor: null,
    missing: [],
  },
  input: ({ query: { cursor, limit, from, to }, id }, { config: { TIME_ZONE } }: Context) => ({
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    from: readDate('from', from, TIME_ZONE),
    to: readDate('to', to, TIME_ZONE),
    before: cursor === undefined ? undefined : readCursor(cursor),
    limit,
  }),
  handle: showTimeline,
  present: ({ entries, next, missing }) => ({
    entries: entries.map((entry) => ({
      entryId: entry.key,
      occurredAt: new Date(entry.atMicros / 1000).toISOString(),
      service: entry.service,
      type: entry.type,
      wholesalerId: entry.wholesalerId,
      subjectId: entry.subjectId,
      details: entry.details,
    })),
    nextCursor: next === undefined ? null : writeCursor(next),
    missing,
  }),
});

function writeCursor({ atMicros, key }: ShownEntry): string {
  return Buffer.from(`${atMicros} ${key}`).toString('base64url');
}

function readCursor(cursor: string): { atMicros: number; key: string } {
  const [, atMicros, key] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (atMicros === undefined || key === undefined || !Number.isSafeInteger(Number(atMicros))) {
    throw new ValidationError(['cursor must be the nextCursor of a page']);
  }
  return { atMicros: Number(atMicros), key };
}
