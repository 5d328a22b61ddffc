import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { IsOptional } from 'class-validator';
import { decideChangeRequest } from '../use-cases/decide-change-request';
import {
  changeRequestAnswer,
  exampleChangeRequest,
  presentChangeRequest,
} from './change-request-answer';

const MAX_REASON = 500;

class ApproveChangeRequestBody {
  @IsOptional()
  @IsNonEmptyText(MAX_REASON)
  reason?: string;
}

class RejectChangeRequestBody {
  @IsNonEmptyText(MAX_REASON)
  reason: string;
}

/** What both decisions have in common. */
const deciding = {
  tag: 'Ops: operation',
  scope: 'approver',
  errors: [
    'CHANGE_REQUEST_NOT_FOUND',
    'CHANGE_REQUEST_IS_NOT_PENDING',
    'CHANGE_TARGET_CHANGED',
    'SECOND_PERSON_REQUIRED',
    'SIGN_IN_REQUIRED',
  ],
  answer: changeRequestAnswer,
} as const;

const decidedExample = {
  ...exampleChangeRequest,
  decidedBy: 'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45',
  decidedByName: 'Luis Vega',
  decidedAt: '2026-09-21T17:00:00.000Z',
};

export const approveChangeRequestEndpoint = endpoint({
  ...deciding,
  id: 'approveChangeRequest',
  route: 'POST /v1/admin/change-requests/:changeRequestId/approve',
  summary: 'Approve a change that somebody else asked for',
  description:
    'By a person whose sign-in is at most five minutes old. The change is made within seconds. A request ' +
    'whose object was changed meanwhile has failed with `CHANGE_TARGET_CHANGED` (of staff and deposits: `STALE`). ' +
    'A key or a secret is issued when its requester collects it.',
  body: ApproveChangeRequestBody,
  bodyOptional: true,
  bodyExample: { reason: 'Checked with the sales team' },
  example: { ...decidedExample, status: 'approved' },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason ?? null,
    changeRequestId: id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
    status: 'approved' as const,
  }),
  handle: decideChangeRequest,
  present: presentChangeRequest,
});

export const rejectChangeRequestEndpoint = endpoint({
  ...deciding,
  id: 'rejectChangeRequest',
  route: 'POST /v1/admin/change-requests/:changeRequestId/reject',
  summary: 'Reject a change that somebody else asked for',
  body: RejectChangeRequestBody,
  bodyExample: { reason: 'Its last two debts were late' },
  example: {
    ...decidedExample,
    status: 'rejected',
    decisionReason: 'Its last two debts were late',
  },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason,
    changeRequestId: id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
    status: 'rejected' as const,
  }),
  handle: decideChangeRequest,
  present: presentChangeRequest,
});
