import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsIn, IsOptional } from 'class-validator';
import type { Context } from '../context';
import {
  CHANGE_STATUSES,
  findChangeRequests,
  type ChangeStatus,
} from '../db/change-requests.repository';
import {
  changeRequestAnswer,
  exampleChangeRequest,
  presentChangeRequest,
} from './change-request-answer';

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
    const found = await findChangeRequests(db, { status, cursor, limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({
    changeRequests: page.map(presentChangeRequest),
    nextCursor,
  }),
});
