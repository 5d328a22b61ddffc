import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  CHANGE_KIND_NAMES,
  CHANGE_KINDS,
  type ChangeKindName,
} from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { findChangeRequest, SHOWN, type ShownChangeRequest } from './change-requests.sql';
import { CHANGE_STATUSES, type ChangeStatus } from './change-request.entity';

export const changeRequestAnswer = t.object('ChangeRequest', {
  changeRequestId: fields.changeRequestId,
  kind: t.field(t.oneOf(CHANGE_KIND_NAMES), 'What shall be changed'),
  explanation: t.field(
    t.text,
    'Why it waits, in a sentence',
    'A second person decides on a role that allows more.',
  ),
  targetId: t.idOrNull(
    'Id of the object that shall be changed',
    '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33',
  ),
  before: t.field(t.freeForm, 'The values at the request'),
  after: t.field(t.freeForm, 'The wanted values'),
  reason: t.textOrNull('Why the change is wanted', 'Pays on time for a year'),
  status: t.field(
    t.oneOf(CHANGE_STATUSES),
    'State of the request: `approved` until the change is made, `failed` when its object was ' +
      'changed meanwhile, also before the decision',
  ),
  failure: t.textOrNull(
    'Why the change was not made; `CHANGE_TARGET_CHANGED`: its object was changed meanwhile; ' +
      '`REQUESTER_LOST_ACCESS`: who asked for it was disabled, or has a role that allows less',
    'CHANGE_TARGET_CHANGED',
  ),
  requestedBy: fields.requestedBy,
  requestedByName: t.textOrNull(
    'Name of that person or key; null for the first admin’s key',
    'Ana Torres',
  ),
  requestedAt: fields.requestedAt,
  decidedBy: t.textOrNull('Id of the second person', 'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45'),
  decidedByName: t.nullable(fields.decidedByName),
  decisionReason: t.textOrNull('Why it was approved or rejected', 'Its last two debts were late'),
  decidedAt: t.nullable(fields.decidedAt),
  expiresAt: t.time(
    'Time until which it can be decided, and its key or link collected',
    '2026-09-24T16:04:05.678Z',
  ),
});

export const exampleChangeRequest: t.ExampleOf<typeof changeRequestAnswer> = {
  explanation: explanationOf('corner-store.terms'),
  before: { creditLimitCents: 1_000_000 },
  after: { creditLimitCents: 1_500_000 },
  failure: null,
  requestedBy: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  decidedBy: null,
  decidedByName: null,
  decisionReason: null,
  decidedAt: null,
};

export const getChangeRequestEndpoint = endpoint({
  id: 'getChangeRequest',
  as: 'changeRequests.get',
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

export const listChangeRequestsEndpoint = listEndpoint({
  id: 'listChangeRequests',
  as: 'changeRequests.list',
  columns: [
    'changeRequestId',
    'kind',
    'targetId',
    'status',
    'requestedBy',
    'requestedAt',
    'decidedBy',
  ],
  tag: 'Ops: operation',
  route: 'GET /v1/admin/change-requests',
  scope: 'operator',
  summary: 'List the changes that wait, or waited, for a second person',
  description: 'Newest first. Amounts are in cents.',
  query: ListChangeRequestsQuery,
  page: 'ChangeRequestPage',
  items: { changeRequests: t.field(changeRequestAnswer, 'Change requests') },
  example: exampleChangeRequest,
  input: ({ query }) => query,
  find: ({ db }: Context, { status, ...asked }) =>
    pageOfRows<ShownChangeRequest>(db, asked, {
      select: SHOWN,
      from: 'change_requests r',
      where: { 'r.status = $': status },
    }),
  present: presentChangeRequest,
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
