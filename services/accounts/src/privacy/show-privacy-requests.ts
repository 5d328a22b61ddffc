import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { ERASURE_PHASES, type ErasedColumnCount } from '@fiado/contracts/jobs/privacy';
import { PageQuery } from '@fiado/contracts/page';
import {
  PRIVACY_REQUEST_KINDS,
  PRIVACY_REQUEST_STATUSES,
  type PrivacyRequestKind,
  type PrivacyRequestStatus,
} from '@fiado/contracts/privacy';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { endOfDateOrMoment, readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { consentAnswer } from './consents';
import {
  examplePrivacyRequest,
  presentPrivacyRequest,
  privacyRequestAnswer,
  privacyRequestFields,
} from './privacy-request';
import {
  findPrivacyRequest,
  SHOWN_PRIVACY_REQUESTS,
  type ShownPrivacyRequest,
} from './privacy-requests.sql';
import type { ErasureRow } from './erasure.entity';
import { ConsentRow } from './consent.entity';

class ListPrivacyRequestsQuery extends PageQuery {
  @IsOptional()
  @IsIn(PRIVACY_REQUEST_STATUSES)
  status?: PrivacyRequestStatus;

  @About('Only requests of this kind')
  @IsOptional()
  @IsIn(PRIVACY_REQUEST_KINDS)
  kind?: PrivacyRequestKind;

  @About('Only requests of this person', '9e2d4c71-1a5b-4c3d-8e7f-6a5b4c3d2e44')
  @IsOptional()
  @IsUUID()
  userId?: string;

  @About(
    'Only requests of which something is due by this ISO 8601 time; a date means its end',
    '2026-12-24',
  )
  @IsOptional()
  @IsDateText()
  dueBefore?: string;
}

/** SQL: until when something is to do about a request; null when nothing is. */
export const DUE_AT = `CASE r.status WHEN 'open' THEN r.answer_due_at
                                     WHEN 'executing' THEN r.execution_due_at END`;

export const listPrivacyRequestsEndpoint = listEndpoint({
  id: 'listPrivacyRequests',
  as: 'privacyRequests.list',
  columns: [
    'privacyRequestId',
    'userId',
    'kind',
    'status',
    'answerDueAt',
    'executionDueAt',
    'reasonCode',
  ],
  tag: 'Ops: privacy',
  route: 'GET /v1/admin/privacy-requests',
  scope: 'viewer',
  summary: 'List the requests of persons about their data',
  description: 'Newest first. They hold ids and codes, and no name.',
  query: ListPrivacyRequestsQuery,
  page: 'PrivacyRequestPage',
  items: { privacyRequests: t.field(privacyRequestAnswer, 'Requests, newest first') },
  example: examplePrivacyRequest,
  input: ({ query: { dueBefore, ...wanted } }, { config }: Context) => ({
    ...wanted,
    dueBefore: readDate('dueBefore', dueBefore, config.TIME_ZONE, endOfDateOrMoment),
  }),
  find: ({ db }: Context, { status, kind, userId, dueBefore, ...asked }) =>
    pageOfRows<ShownPrivacyRequest>(db, asked, {
      select: SHOWN_PRIVACY_REQUESTS,
      from: 'privacy_requests r',
      where: {
        'r.status = $': status,
        'r.kind = $': kind,
        'r.user_id = $': userId,
        [`${DUE_AT} <= $`]: dueBefore,
      },
    }),
  present: presentPrivacyRequest,
});

const ERASURE_STATES = ['waiting', 'running', 'done'] as const;

const erasureAnswer = t.object('Erasure', {
  erasureId: t.id('Id of the step', '0199f2b4-7c10-7d44-9a51-2b8d4c6e9f03'),
  phase: t.field(t.oneOf(ERASURE_PHASES), 'The block, or the suppression when the retention ends'),
  state: t.field(
    t.oneOf(ERASURE_STATES),
    '`waiting` for its day; `running` until every service has answered',
  ),
  dueAt: t.time('When the step begins', '2036-11-25T17:00:00.000Z'),
  report: t.textOrNull(
    'JSON with counts and no value of the person, as it was hashed; null until the step is done',
    '{"phase":"block","erased":[]}',
  ),
  sha256: t.textOrNull(
    'SHA-256 that was recorded with the report, in hexadecimal; null until the step is done',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  parts: t.list(
    t.object('ErasurePart', {
      service: t.field(t.oneOf(SERVICES), 'The service'),
      doneAt: t.time('When it had done it', '2026-11-25T17:00:00.000Z'),
      erased: t.list(
        t.object('ErasedColumn', {
          table: t.field(t.text, 'The table', 'users'),
          column: t.field(t.text, 'The column', 'first_name'),
          rows: t.field(t.count, 'In how many rows', 1),
        }),
        'Erased values of each column, as counts',
      ),
    }),
    'What each service has done',
  ),
});

/** A step of a cancellation, with what each service did of it so far. */
interface ShownErasure extends Pick<ErasureRow, 'phase' | 'state' | 'dueAt'> {
  erasureId: ErasureRow['id'];
  /** As it was hashed; null until the step is done. */
  report: ErasureRow['report'];
  sha256: string | null;
  parts: { service: Service; doneAt: string; erased: ErasedColumnCount[] }[];
}

function erasuresOf(db: Db, requestId: string): Promise<ShownErasure[]> {
  return query<ShownErasure>(
    db,
    `SELECT e.id AS "erasureId", e.phase, e.state, e.due_at AS "dueAt", e.report,
            encode(e.report_sha256, 'hex') AS "sha256",
            ARRAY(SELECT jsonb_build_object('service', service, 'doneAt', done_at, 'erased', rows)
                    FROM erasure_parts WHERE erasure_id = e.id ORDER BY service) AS parts
       FROM erasures e WHERE e.request_id = $1 ORDER BY e.phase`,
    [requestId],
  );
}

export const getPrivacyRequestEndpoint = endpoint({
  id: 'getPrivacyRequest',
  as: 'privacyRequests.get',
  tag: 'Ops: privacy',
  route: 'GET /v1/admin/privacy-requests/:privacyRequestId',
  scope: 'viewer',
  summary: 'Get a request of a person about their data',
  description:
    'With the consents of the person to the privacy notice, newest first, and the steps of a cancellation, the ' +
    'block first: what each service did, the report, and until then the day on which the step begins.',
  errors: ['PRIVACY_REQUEST_NOT_FOUND'],
  answer: t.object('PrivacyRequestDetails', {
    ...privacyRequestFields,
    consents: t.list(consentAnswer, 'Consents to the privacy notice, newest first'),
    erasures: t.list(erasureAnswer, 'Steps of a cancellation, the block first'),
  }),
  example: {
    ...examplePrivacyRequest,
    consents: [{ withdrawnAt: null }],
    erasures: [],
  },
  input: ({ id }) => id('privacyRequestId', 'PRIVACY_REQUEST_NOT_FOUND'),
  handle: async ({ db }: Context, id) => {
    const request = await findPrivacyRequest(db, id);
    if (request === undefined) throw new AppError('PRIVACY_REQUEST_NOT_FOUND');
    const consents = await db.manager.find(ConsentRow, {
      where: { userId: request.userId },
      order: { givenAt: 'DESC' },
    });
    return { request, consents, erasures: await erasuresOf(db, id) };
  },
  present: ({ request, consents, erasures }) => ({
    ...presentPrivacyRequest(request),
    consents: consents.map((consent) =>
      t.presentRow(consentAnswer, consent, {
        noticeSha256: consent.noticeSha256?.toString('hex') ?? null,
      }),
    ),
    erasures: erasures.map(({ dueAt, parts, ...erasure }) => ({
      ...erasure,
      dueAt: dueAt.toISOString(),
      parts: parts.map((part) => ({ ...part, doneAt: new Date(part.doneAt).toISOString() })),
    })),
  }),
});
