import { IsIn, IsOptional } from 'class-validator';
import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  CHANGE_KIND_NAMES,
  CHANGE_KINDS,
  type ChangeKindName,
} from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { EXAMPLE_IDS } from '../examples';
import {
  CHANGE_STATUSES,
  type ChangeStatus,
  findChangeRequest,
  SHOWN,
  type ShownChangeRequest,
} from './change-requests.sql';

export const changeRequestAnswer = t.object('ChangeRequest', {
  changeRequestId: t.uuid,
  kind: t.oneOf(CHANGE_KIND_NAMES),
  explanation: t.text,
  targetId: t.nullable(t.uuid),
  before: t.freeForm,
  after: t.freeForm,
  reason: t.nullable(t.text),
  status: t.oneOf(CHANGE_STATUSES),
  failure: t.nullable(t.text),
  requestedBy: t.text,
  requestedByName: t.nullable(t.text),
  requestedAt: t.timestamp,
  decidedBy: t.nullable(t.text),
  decidedByName: t.nullable(t.text),
  decisionReason: t.nullable(t.text),
  decidedAt: t.nullable(t.timestamp),
  expiresAt: t.timestamp,
});

export const exampleChangeRequest: t.AnswerOf<typeof changeRequestAnswer> = {
  changeRequestId: '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34',
  kind: 'corner-store.terms',
  explanation: explanationOf('corner-store.terms'),
  targetId: EXAMPLE_IDS.cornerStoreId,
  before: { creditLimitCents: 1_000_000 },
  after: { creditLimitCents: 1_500_000 },
  reason: 'Pays on time for a year',
  status: 'pending',
  failure: null,
  requestedBy: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  requestedByName: 'Ana Torres',
  requestedAt: '2026-09-21T16:04:05.678Z',
  decidedBy: null,
  decidedByName: null,
  decisionReason: null,
  decidedAt: null,
  expiresAt: '2026-09-24T16:04:05.678Z',
};

export const getChangeRequestEndpoint = endpoint({
  id: 'getChangeRequest',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/change-requests/:changeRequestId',
  scope: 'operator',
  summary: 'Get a change request',
  errors: ['CHANGE_REQUEST_NOT_FOUND'],
  answer: changeRequestAnswer,
  example: exampleChangeRequest,
  input: ({ id }) => id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
  handle: async ({ db }: Context, changeRequestId) => {
    const found = await findChangeRequest(db, changeRequestId);
    if (found === undefined) throw new AppError('CHANGE_REQUEST_NOT_FOUND');
    return found;
  },
  present: presentChangeRequest,
});

class ListChangeRequestsQuery extends PageQuery {
  @IsOptional()
  @IsIn(CHANGE_STATUSES)
  status?: ChangeStatus;
}

export const listChangeRequestsEndpoint = endpoint({
  id: 'listChangeRequests',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/change-requests',
  scope: 'operator',
  summary: 'List the changes that wait, or waited, for a second person',
  description: 'Newest first. Amounts are in cents.',
  query: ListChangeRequestsQuery,
  answer: t.page('ChangeRequestPage', { changeRequests: t.listOf(changeRequestAnswer) }),
  example: { changeRequests: [exampleChangeRequest], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { status, cursor, limit }) => {
    await requireCursor(db, cursor, 'change_requests');
    const found = await query<ShownChangeRequest>(
      db,
      `${SHOWN}
        WHERE ($1::text IS NULL OR r.status = $1) AND ($2::uuid IS NULL OR r.id < $2)
        ORDER BY r.id DESC LIMIT $3`,
      [status ?? null, cursor ?? null, limit + 1],
    );
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({
    changeRequests: page.map(presentChangeRequest),
    nextCursor,
  }),
});

export function presentChangeRequest(
  request: ShownChangeRequest,
): t.AnswerOf<typeof changeRequestAnswer> {
  return t.presentRow(changeRequestAnswer, request, {
    changeRequestId: request.id,
    explanation: explanationOf(request.kind),
    after: request.payload,
  });
}

/** Why a change of this kind waits, in a sentence. */
function explanationOf(kind: ChangeKindName): string {
  return `A second person decides on ${CHANGE_KINDS[kind].guards}.`;
}
