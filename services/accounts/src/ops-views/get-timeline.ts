import { IsOptional } from '@fiado/contracts/class-validator';
import { findTimeline, REFUSALS_OF_STORE } from '@fiado/chassis/db/find-timeline';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { LimitQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import {
  MAX_TIMELINE_PHONES,
  messageTimelineCall,
  type MessageTimelineQuestion,
  timelineCall,
  type TimelineEntry,
  type TimelineQuestion,
} from '@fiado/contracts/timeline';
import type { Context } from '../context';
import { answersOf, type AskedService } from './ask-services';
import type { UserRow } from '../corner-stores/user.entity';

/** Longer than an ISO 8601 timestamp, in characters. */
const MAX_MOMENT = 40;

/** Longer than any cursor, in characters. */
const MAX_CURSOR = 300;

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
  as: 'cornerStores.timeline',
  columns: ['occurredAt', 'type', 'wholesalerId', 'subjectId', 'details'],
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
    entries: t.list(
      t.object('TimelineEntry', {
        entryId: t.field(
          t.text,
          'Id of the entry',
          'order.created:0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
        ),
        occurredAt: t.time('Time at which it happened', '2026-11-22T16:05:00.000Z'),
        service: t.field(t.oneOf(SERVICES), 'Service that knows of it'),
        type: t.field(
          t.text,
          'What happened, such as `order.created`, `request.refused`, `message.requested`, ' +
            '`payment.applied`, or an action of the audit log',
          'order.created',
        ),
        wholesalerId: t.nullable(fields.wholesalerId),
        subjectId: t.idOrNull(
          'Id of the order, user or verification that it is about',
          '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
        ),
        details: t.field(
          t.freeForm,
          'Ids, amounts in pesos, times and states; a phone number is masked',
        ),
      }),
      'Entries, newest first',
    ),
    nextCursor: t.nullable(fields.nextCursor),
    missing: t.list(
      t.oneOf(SERVICES),
      'Services that did not answer, so that their part is not here',
    ),
  }),
  example: {
    entries: [
      {
        occurredAt: '2026-09-21T16:04:05.678Z',
        service: 'transactions',
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
  // A page of what happened to a corner store in all services, newest first. Each service is asked
  // for one entry more than the page holds, and the newest of all make the page.
  handle: async (context: Context, { cornerStoreId, from, to, before, limit }) => {
    const { db, transactions, payments, messages } = context;
    const addressee = await queryRow<Addressee>(
      db,
      `SELECT u.id AS "userId",
            array_prepend(u.phone_index, ARRAY(
              SELECT v.phone_index FROM verifications v
               WHERE v.user_id = u.id AND v.approved_at IS NOT NULL AND v.phone_index <> u.phone_index
               ORDER BY v.approved_at DESC LIMIT $2)) AS "phoneIndexes"
       FROM corner_stores s JOIN users u ON u.id = s.user_id WHERE s.id = $1`,
      [cornerStoreId, MAX_TIMELINE_PHONES - 1],
    );
    if (addressee === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
    const question = {
      cornerStoreId,
      from: from?.toISOString(),
      to: to?.toISOString(),
      beforeMicros: before?.atMicros,
      beforeKey: before?.key,
      limit: limit + 1,
    } satisfies TimelineQuestion;
    const toNotifier: MessageTimelineQuestion = {
      ...question,
      userId: addressee.userId,
      phoneIndexes: addressee.phoneIndexes.map((index) => index.toString('base64')),
    };
    const [own, { answers, missing }] = await Promise.all([
      findTimeline(db, question, PARTS),
      answersOf(context, {
        transactions: transactions.ask(timelineCall, question),
        payments: payments.ask(timelineCall, question),
        notifier: messages.ask(messageTimelineCall, toNotifier),
      }),
    ]);
    const all: ShownEntry[] = [
      ...own.map((entry) => ({ ...entry, service: 'accounts' as const })),
      ...answers.flatMap(({ service, answer }) =>
        answer.entries.map((entry) => ({ ...entry, service })),
      ),
    ].sort(newestFirst);
    const entries = all.slice(0, limit);
    return { entries, next: all.length > limit ? entries.at(-1) : undefined, missing };
  },
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

interface ShownEntry extends TimelineEntry {
  service: 'accounts' | AskedService;
}

/** The keys by which the notifier finds the messages of a corner store. */
interface Addressee {
  userId: UserRow['id'];
  /** Blind indexes of its phone and of those that it has confirmed. */
  phoneIndexes: Buffer[];
}

/** The order of findTimeline: keys are ASCII, which both compare byte by byte. */
function newestFirst(a: TimelineEntry, b: TimelineEntry): number {
  if (a.atMicros !== b.atMicros) return b.atMicros - a.atMicros;
  return a.key < b.key ? 1 : -1;
}

/** A time in microseconds and the key of an entry. */
const CURSOR = /^(\d{1,16}) ([\w.:-]{1,200})$/;

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

/** Whose customer it became, its onboarding, verifications and phone, and what ops did. */
const PARTS = [
  `SELECT c.created_at AS at, 'customer.imported' AS type, c.wholesaler_id::text AS id,
          c.wholesaler_id, NULL::uuid AS subject_id,
          jsonb_build_object('externalId', c.external_id) AS details
     FROM customers c WHERE c.corner_store_id = $1`,
  `SELECT v.created_at, 'verification.started', v.id::text, v.wholesaler_id, v.id,
          jsonb_build_object('status', v.status, 'codeSends', v.sends, 'codeChecks', v.checks,
                             'codeExpiresAt', v.expires_at)
     FROM corner_stores s JOIN verifications v ON v.user_id = s.user_id WHERE s.id = $1`,
  `SELECT v.approved_at, 'verification.approved', v.id::text, v.wholesaler_id, v.id, '{}'::jsonb
     FROM corner_stores s JOIN verifications v ON v.user_id = s.user_id
    WHERE s.id = $1 AND v.approved_at IS NOT NULL`,
  `SELECT d.created_at, 'document.received', d.id::text, d.wholesaler_id, d.verification_id,
          jsonb_build_object('step', d.step)
     FROM onboarding_documents d WHERE d.corner_store_id = $1`,
  `SELECT p.changed_at, 'phone.changed', p.id::text, p.wholesaler_id, NULL::uuid,
          jsonb_strip_nulls(jsonb_build_object('heldUntil', p.held_until))
     FROM phone_changes p WHERE p.corner_store_id = $1`,
  `SELECT a.occurred_at, a.action, a.id::text, NULL::uuid, NULL::uuid,
          a.details || jsonb_build_object('actorKind', a.actor_kind, 'actorId', a.actor_id)
     FROM audit_log a
    WHERE a.object_id IN ($1, (SELECT user_id FROM corner_stores WHERE id = $1))`,
  REFUSALS_OF_STORE,
];
