import * as t from '@fiado/chassis/openapi/json-schema';
import {
  IDENTITY_PROOFS,
  PRIVACY_CHANNELS,
  PRIVACY_REASONS,
  PRIVACY_REQUEST_KINDS,
  PRIVACY_REQUEST_STATUSES,
} from '@fiado/contracts/privacy';
import { EXAMPLE_IDS } from '../examples';
import type { ShownPrivacyRequest } from './privacy-requests.sql';

export const privacyRequestFields = {
  privacyRequestId: t.uuid,
  userId: t.uuid,
  cornerStoreId: t.uuid,
  kind: t.oneOf(PRIVACY_REQUEST_KINDS),
  channel: t.oneOf(PRIVACY_CHANNELS),
  identityProof: t.oneOf(IDENTITY_PROOFS),
  receivedAt: t.timestamp,
  answerDueAt: t.timestamp,
  answerExtended: t.flag,
  executionDueAt: t.nullable(t.timestamp),
  executionExtended: t.flag,
  status: t.oneOf(PRIVACY_REQUEST_STATUSES),
  outcome: t.nullable(t.oneOf(['granted', 'refused'])),
  reasonCode: t.nullable(t.oneOf(PRIVACY_REASONS)),
  openedBy: t.text,
  openedByName: t.nullable(t.text),
  answeredBy: t.nullable(t.text),
  answeredByName: t.nullable(t.text),
  answeredAt: t.nullable(t.timestamp),
  doneAt: t.nullable(t.timestamp),
};

export const privacyRequestAnswer = t.object('PrivacyRequest', privacyRequestFields);

export const examplePrivacyRequest: t.AnswerOf<typeof privacyRequestAnswer> = {
  privacyRequestId: '0199f2b4-5d2f-7a9c-8b7e-6f3d8a912c45',
  userId: EXAMPLE_IDS.userId,
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  kind: 'rectification',
  channel: 'email',
  identityProof: 'official-id',
  receivedAt: '2026-11-24T16:05:00.000Z',
  answerDueAt: '2026-12-23T05:59:59.999Z',
  answerExtended: false,
  executionDueAt: null,
  executionExtended: false,
  status: 'open',
  outcome: null,
  reasonCode: null,
  openedBy: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  openedByName: 'Ana Torres',
  answeredBy: null,
  answeredByName: null,
  answeredAt: null,
  doneAt: null,
};

export function presentPrivacyRequest(
  request: ShownPrivacyRequest,
): t.AnswerOf<typeof privacyRequestAnswer> {
  return t.presentRow(privacyRequestAnswer, request, { privacyRequestId: request.id });
}
