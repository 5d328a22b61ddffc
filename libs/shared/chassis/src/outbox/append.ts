import type { Caller } from '@fiado/contracts/caller';
import type { JobDefinition } from '@fiado/contracts/define';
import { auditRecorded, type AuditRecorded } from '@fiado/contracts/jobs/audit-recorded';
import { newId } from '@fiado/contracts/new-id';
import type { Db } from '../db/database';
import { query } from '../db/query';
import { currentRequestId } from '../request-context';
import { currentTraceparent, inStatementSpan } from '../tracing/tracer';

/** One job for one queue, as stored in the outbox. */
export interface OutboxRow {
  id: string;
  queue: string;
  type: string;
  version: number;
  aggregate_id: string;
  aggregate_version: number;
  data: object;
  /** The request from outside that caused the job, directly or through another job. */
  request_id: string | null;
  /** The span that caused it (W3C Trace Context); null while traces are off. */
  traceparent: string | null;
}

/** The subject of a job. Where order matters, consumers ignore a version older than one they have seen. */
export interface Aggregate {
  id: string;
  version: number;
}

/** The outbox rows of one job: one for each queue that the definition names. */
export function outboxRows<Data extends object>(
  definition: JobDefinition<Data>,
  aggregate: Aggregate,
  data: Data,
): OutboxRow[] {
  return definition.queues.map((queue) => ({
    id: newId(),
    queue,
    type: definition.type,
    version: definition.version,
    aggregate_id: aggregate.id,
    aggregate_version: aggregate.version,
    data,
    request_id: currentRequestId() ?? null,
    traceparent: currentTraceparent() ?? null,
  }));
}

/**
 * The columns of an outbox row, and their types in a JSON parameter. A use case may write its jobs in a CTE of its own
 * statement, so that change and jobs are one round trip.
 */
export const OUTBOX_COLUMNS =
  'id, queue, type, version, aggregate_id, aggregate_version, data, request_id, traceparent';
export const OUTBOX_RECORD =
  'id uuid, queue text, type text, version integer, aggregate_id uuid, aggregate_version bigint, data jsonb, request_id text, traceparent text';

/** Writes jobs in the caller's database transaction. They are sent if and only if it commits, and then at once. */
export async function appendToOutbox(tx: Db, rows: OutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await inStatementSpan('append-to-outbox', () =>
    query(
      tx,
      `INSERT INTO outbox (${OUTBOX_COLUMNS})
       SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset($1::jsonb) AS job(${OUTBOX_RECORD})`,
      [JSON.stringify(rows)],
    ),
  );
  tx.noteJobs();
}

type AuditEntry = Pick<AuditRecorded, 'action' | 'objectId' | 'details'>;

/** Has accounts add an entry to its audit log, if the caller's database transaction commits. */
export function audit(tx: Db, by: Caller, entry: AuditEntry): Promise<void> {
  return appendToOutbox(tx, auditRows(by, entry));
}

/** The outbox rows of one entry of the audit log. */
export function auditRows(by: Caller, entry: AuditEntry): OutboxRow[] {
  return outboxRows(
    auditRecorded,
    { id: newId(), version: 1 },
    { actorKind: by.kind, actorId: by.id, ...entry },
  );
}
