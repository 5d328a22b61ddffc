import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Db } from '@fiado/chassis/db/database';
import type { Person } from '@fiado/chassis/db/personal-data';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { leftoversOf } from '@fiado/chassis/privacy/leftovers';
import { AppError } from '@fiado/contracts/errors';
import { ERASURE_PHASES, type ErasurePhase } from '@fiado/contracts/jobs/privacy';
import { type LeftoversAnswer, leftoversCall } from '@fiado/contracts/personal-data';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import type { Context } from '../context';
import { PERSONAL_DATA } from '../db/personal-data';
import type { ErasureRow } from './erasure.entity';
import { isNobodyElses, partsOf, personOf } from './erasures.sql';
import type { PrivacyRequestRow } from './privacy-request.entity';

const checkedReportAnswer = t.object('CheckedErasureReport', {
  erasureId: t.id('Id of the step', '0199f2b4-7c10-7d44-9a51-2b8d4c6e9f03'),
  phase: t.field(t.oneOf(ERASURE_PHASES), 'The block, or the suppression when the retention ends'),
  sha256: t.field(
    t.text,
    'SHA-256 of the report as it is now, in hexadecimal',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  recordedSha256: t.field(
    t.text,
    'The hash that was recorded with the report',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  auditedSha256: t.textOrNull(
    'The hash in the audit log; null where it has no such entry',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  holds: t.field(t.flag, 'The three hashes are equal'),
});

const leftoverAnswer = t.object('ErasureLeftover', {
  service: t.field(t.oneOf(SERVICES), 'The service that has it'),
  table: t.field(t.text, 'The table', 'users'),
  column: t.field(t.text, 'The column', 'first_name'),
  rows: t.field(t.count, 'In how many rows', 1),
});

export const verifyErasureEndpoint = endpoint({
  id: 'verifyErasure',
  as: 'privacyRequests.verify',
  tag: 'Ops: privacy',
  route: 'GET /v1/admin/privacy-requests/:privacyRequestId/verify',
  // It reads whole tables in four services.
  scope: 'operator',
  summary: 'Check what was erased of a person',
  description:
    'The path takes the id of a cancellation, or of one of its erasures. Each service is asked what it still has ' +
    'of what the last finished step erases; `unavailable` names those that could not be asked, of which nothing is ' +
    'known. Each report is compared with its recorded hash and with its entry in the audit log. `holds` is true when ' +
    'every service was asked, nothing is left and each report is as it was written.',
  errors: ['PRIVACY_REQUEST_NOT_FOUND', 'NOTHING_ERASED_YET'],
  answer: t.object('ErasureCheck', {
    privacyRequestId: fields.privacyRequestId,
    holds: t.field(
      t.flag,
      'Nothing is left, every service was asked, and each report is as it was written',
    ),
    reports: t.list(checkedReportAnswer, 'Of the finished steps, the block first'),
    left: t.list(leftoverAnswer, 'What services still have of the person, as counts'),
    unavailable: t.list(t.oneOf(SERVICES), 'Services that could not be asked'),
  }),
  example: {
    reports: [{ phase: 'suppress' }],
    left: [],
    unavailable: [],
  },
  input: ({ id }) => id('privacyRequestId', 'PRIVACY_REQUEST_NOT_FOUND'),
  // Checks the erasures of a request: their reports, and what each service still has of the person.
  // The id is that of the request, or of an erasure.
  handle: async (context: Context, id) => {
    const { db } = context;
    const [request] = await query<Pick<PrivacyRequestRow, 'id'>>(
      db,
      `SELECT id FROM privacy_requests WHERE id = $1
       UNION ALL SELECT request_id FROM erasures WHERE id = $1`,
      [id],
    );
    if (request === undefined) throw new AppError('PRIVACY_REQUEST_NOT_FOUND');
    const erasures = await checkReports(db, request.id);
    const last = erasures.at(-1);
    if (last === undefined) throw new AppError('NOTHING_ERASED_YET');

    const answers = await askEachService(context, await personToLookFor(db, last), last.phase);
    const left = SERVICES.flatMap((service) =>
      (answers[service]?.left ?? []).map(({ table, column, rows }) => ({
        service,
        table,
        column,
        rows,
      })),
    );
    const unavailable = SERVICES.filter((service) => answers[service] === undefined);
    const reports = erasures.map(
      ({ id: erasureId, phase, sha256, recordedSha256, auditedSha256 }) => ({
        erasureId,
        phase,
        sha256,
        recordedSha256,
        auditedSha256,
        holds: sha256 === recordedSha256 && sha256 === auditedSha256,
      }),
    );
    const holds =
      left.length === 0 && unavailable.length === 0 && reports.every((report) => report.holds);
    return { privacyRequestId: request.id, holds, reports, left, unavailable };
  },
  present: (check) => check,
});

interface CheckedErasure extends Pick<ErasureRow, 'id' | 'phase' | 'userId' | 'cornerStoreId'> {
  /** SHA-256 of the report as it is now. */
  sha256: string;
  recordedSha256: string;
  /** Null where the audit log has no such entry. */
  auditedSha256: string | null;
}

/** The finished erasures of a request, the block first, with the three hashes of each report. */
function checkReports(db: Db, requestId: string): Promise<CheckedErasure[]> {
  return query(
    db,
    `SELECT e.id, e.phase, e.user_id, e.corner_store_id,
            encode(sha256(convert_to(e.report, 'UTF8')), 'hex') AS "sha256",
            encode(e.report_sha256, 'hex') AS "recordedSha256",
            (SELECT a.details ->> 'sha256' FROM audit_log a
              WHERE a.object_id = e.user_id AND a.action IN ('person.blocked', 'person.erased')
                AND a.details ->> 'erasureId' = e.id::text
              ORDER BY a.id DESC LIMIT 1) AS "auditedSha256"
       FROM erasures e WHERE e.request_id = $1 AND e.state = 'done' ORDER BY e.phase`,
    [requestId],
  );
}

/**
 * The person by the ids that stay, the ids of their objects that services named, and the phones that were
 * theirs. A phone that somebody else has by now is left out: its rows are not of this person.
 */
async function personToLookFor(
  db: Db,
  { id, phase, userId, cornerStoreId }: CheckedErasure,
): Promise<Person> {
  const known = await personOf(db, { userId, cornerStoreId });
  const objectIds = (await partsOf(db, id)).flatMap((part) => part.objectIds);
  const phones = await query<{ keyedHash: Buffer }>(
    db,
    `SELECT keyed_hash FROM erased_phones
      WHERE erasure_id = $1 AND ${isNobodyElses('erased_phones.keyed_hash', '$2')}`,
    [id, userId],
  );
  return {
    ...known,
    objectIds: [...known.objectIds, ...objectIds],
    // After the suppression the person's own rows have random indexes, which are no finding.
    ...(phase === 'suppress' && { phoneIndexes: phones.map(({ keyedHash }) => keyedHash) }),
  };
}

/** The data that each service still stores; undefined for a service that did not answer. */
async function askEachService(
  { db, slowTransactions, slowPayments, slowNotifier }: Context,
  person: Person,
  phase: ErasurePhase,
): Promise<Record<Service, LeftoversAnswer | undefined>> {
  const [transactions, payments] = await Promise.all([
    ask(slowTransactions, person, phase),
    ask(slowPayments, person, phase),
  ]);
  const objectIds = [
    ...person.objectIds,
    ...(transactions?.objectIds ?? []),
    ...(payments?.objectIds ?? []),
  ];
  const known = { ...person, objectIds: [...new Set(objectIds)] };
  const [notifier, accounts] = await Promise.all([
    ask(slowNotifier, known, phase),
    db.snapshot((tx) => leftoversOf(tx, { data: PERSONAL_DATA }, known, phase)),
  ]);
  return { accounts, transactions, payments, notifier };
}

async function ask(
  client: InternalClient,
  { userId, cornerStoreId, objectIds, phoneIndexes }: Person,
  phase: ErasurePhase,
): Promise<LeftoversAnswer | undefined> {
  try {
    return await client.ask(leftoversCall, {
      userId,
      cornerStoreId,
      objectIds,
      phoneIndexes: phoneIndexes.map((index) => index.toString('base64')),
      phase,
    });
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return undefined;
    throw error;
  }
}
