import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  IDENTITY_PROOFS,
  PRIVACY_CHANNELS,
  PRIVACY_REASONS,
  PRIVACY_REQUEST_KINDS,
  PRIVACY_REQUEST_STATUSES,
  URGENT_DAYS,
} from '@fiado/contracts/privacy';
import type { ShownPrivacyRequest } from './privacy-requests.sql';
import { queryOne } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { urgentPrivacyRequests } from '../metrics';

export const privacyRequestFields = {
  privacyRequestId: fields.privacyRequestId,
  userId: fields.userId,
  cornerStoreId: fields.cornerStoreId,
  kind: t.field(t.oneOf(PRIVACY_REQUEST_KINDS), 'What the person asks'),
  channel: t.field(t.oneOf(PRIVACY_CHANNELS), 'How the request came'),
  identityProof: t.field(
    t.oneOf(IDENTITY_PROOFS),
    'How the person proved who they are; never what they showed',
  ),
  receivedAt: t.time('When it reached the lender', '2026-11-24T16:05:00.000Z'),
  answerDueAt: t.time('Last moment to answer', '2026-12-23T05:59:59.999Z'),
  answerExtended: t.field(t.flag, 'The time of the answer was extended'),
  executionDueAt: t.timeOrNull(
    'Last moment to do what was granted; null until it is granted',
    '2026-12-17T05:59:59.999Z',
  ),
  executionExtended: t.field(t.flag, 'The time of the execution was extended'),
  status: t.field(t.oneOf(PRIVACY_REQUEST_STATUSES), '`executing`: granted, and not done yet'),
  outcome: t.field(
    t.nullable(t.oneOf(['granted', 'refused'])),
    'The answer; null while there is none',
  ),
  reasonCode: t.field(
    t.nullable(t.oneOf(PRIVACY_REASONS)),
    'Why it was refused, or its time was extended',
  ),
  openedBy: t.field(
    t.text,
    'Id of the person or key that recorded it; `ops` is `OPS_API_KEY`, `sms` a word that the person sent',
    'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  ),
  openedByName: t.textOrNull('Name of that person or key; null for others', 'Ana Torres'),
  answeredBy: t.textOrNull(
    'Id of the person or key that answered',
    'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45',
  ),
  answeredByName: t.textOrNull('Name of that person or key; null for others', 'Luis Vega'),
  answeredAt: t.timeOrNull('When it was granted or refused', '2026-11-25T17:00:00.000Z'),
  doneAt: t.timeOrNull('When all that was granted was done', '2026-11-25T17:00:00.000Z'),
};

export const privacyRequestAnswer = t.object('PrivacyRequest', privacyRequestFields);

export const examplePrivacyRequest: t.ExampleOf<typeof privacyRequestAnswer> = {
  kind: 'rectification',
  answerExtended: false,
  executionDueAt: null,
  executionExtended: false,
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

/** Reads how many requests are due within three days, or late. */
export async function samplePrivacyRequests({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { answer, execution } = await queryOne<{ answer: number; execution: number }>(
    db,
    `SELECT count(*) FILTER (WHERE status = 'open' AND answer_due_at < soon) AS answer,
            count(*) FILTER (WHERE status = 'executing' AND execution_due_at < soon) AS execution
       FROM privacy_requests, (SELECT now() + interval '${URGENT_DAYS} days' AS soon) clock
      WHERE status IN ('open', 'executing')`,
  );
  return [
    urgentPrivacyRequests({ step: 'answer' }, answer),
    urgentPrivacyRequests({ step: 'execution' }, execution),
  ];
}
