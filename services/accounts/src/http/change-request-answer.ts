import {
  CHANGE_KIND_NAMES,
  CHANGE_KINDS,
  type ChangeKindName,
} from '@fiado/contracts/change-requests';
import * as t from '@fiado/chassis/openapi/json-schema';
import { CHANGE_STATUSES, type ShownChangeRequest } from '../db/change-requests.repository';
import { EXAMPLE_IDS } from './examples';

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

export function presentChangeRequest(
  request: ShownChangeRequest,
): t.AnswerOf<typeof changeRequestAnswer> {
  return {
    changeRequestId: request.id,
    kind: request.kind,
    explanation: explanationOf(request.kind),
    targetId: request.targetId,
    before: request.before,
    after: request.payload,
    reason: request.reason,
    status: request.status,
    failure: request.failure,
    requestedBy: request.requestedBy,
    requestedByName: request.requestedByName,
    requestedAt: request.requestedAt.toISOString(),
    decidedBy: request.decidedBy,
    decidedByName: request.decidedByName,
    decisionReason: request.decisionReason,
    decidedAt: request.decidedAt?.toISOString() ?? null,
    expiresAt: request.expiresAt.toISOString(),
  };
}

/** Why a change of this kind waits, in a sentence. */
function explanationOf(kind: ChangeKindName): string {
  return `A second person decides on ${CHANGE_KINDS[kind].guards}.`;
}
