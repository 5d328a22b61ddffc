import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import type { JobDefinition } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import {
  type ChangeExecuted,
  changeJobsOf,
  type RequestedChange,
} from '@fiado/contracts/jobs/changes';
import { newId } from '@fiado/contracts/new-id';
import type { Transaction } from '../db/database';
import { queryOne, queryRow } from '../db/query';
import { appendToOutbox, outboxRows } from './append';

/** The table of a service with its changes that wait for a second person. */
interface WaitingChanges {
  table: string;
  /** Its column with the id of what is changed, of which one change waits at most. */
  target: string;
}

/** A change that waits, if a second person is needed for it. */
export interface WantedChange extends Pick<
  RequestedChange,
  'kind' | 'payload' | 'before' | 'reason' | 'depositVersion'
> {
  by: Pick<Caller, 'id'>;
  /** Absent for a change that its Idempotency-Key alone identifies: each call is a new one. */
  targetId?: string;
  /** What only this service gets of it. The same request may have another one: it is sealed. */
  secret?: Record<string, string>;
}

/**
 * Stores a change that waits for a second person; accounts asks that person. If the same person requests
 * the same change of the same target again, it is the same request.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the target waits
 */
export async function requestChange(
  tx: Transaction,
  { table, target }: WaitingChanges,
  change: WantedChange,
): Promise<ChangeRequested> {
  const { by, secret = {}, ...wanted } = change;
  const { kind, payload, depositVersion } = wanted;
  const newRequestId = newId();
  const targetId = change.targetId ?? newRequestId;
  const hasVersion = depositVersion !== undefined;
  // The change that waits now: this one, or the one before it.
  const { changeRequestId, isNew, isSame } = await queryOne<{
    changeRequestId: string;
    isNew: boolean;
    isSame: boolean;
  }>(
    tx,
    `WITH added AS (
       INSERT INTO ${table} (change_request_id, ${target}, kind, payload, requested_by
                             ${hasVersion ? ', deposit_version' : ''})
       VALUES ($2, $1, $3, $4, $5 ${hasVersion ? ', $7' : ''})
       ON CONFLICT DO NOTHING RETURNING change_request_id)
     SELECT change_request_id, true AS "isNew", true AS "isSame" FROM added
     UNION ALL
     SELECT change_request_id, false, kind = $3 AND requested_by = $5
              AND payload - $6::text[] = $4::jsonb - $6::text[]
       FROM ${table} WHERE ${target} = $1`,
    [
      targetId,
      newRequestId,
      kind,
      { ...payload, ...secret },
      by.id,
      Object.keys(secret),
      ...(hasVersion ? [depositVersion] : []),
    ],
  );
  if (!isSame) throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
  if (!isNew) return new ChangeRequested(changeRequestId);
  return askSecondPerson(tx, { ...wanted, changeRequestId, targetId, requestedBy: by.id });
}

/** Takes a decided change away. @returns undefined when it is gone already */
export function takeChange<Row extends object>(
  tx: Transaction,
  { table }: WaitingChanges,
  changeRequestId: string,
): Promise<Row | undefined> {
  return queryRow<Row>(tx, `DELETE FROM ${table} WHERE change_request_id = $1 RETURNING *`, [
    changeRequestId,
  ]);
}

/** Asks accounts for a second person, who decides on a change that waits here. */
export async function askSecondPerson(
  tx: Transaction,
  change: Omit<RequestedChange, 'targetId'> & { targetId: string },
): Promise<ChangeRequested> {
  const { changeRequestId, kind, targetId } = change;
  const { requested, target } = changeJobsOf(kind);
  const aggregate = { id: changeRequestId, version: 1 };
  await appendToOutbox(tx, outboxRows(requested, aggregate, { ...change, [target]: targetId }));
  return new ChangeRequested(changeRequestId);
}

/** Tells accounts that an approved change was made. @param failure why it was not made */
export async function tellOutcome(
  tx: Transaction,
  executed: JobDefinition<ChangeExecuted>,
  outcome: { changeRequestId: string; failure: string | undefined },
): Promise<void> {
  const aggregate = { id: outcome.changeRequestId, version: 2 };
  await appendToOutbox(tx, outboxRows(executed, aggregate, outcome));
}
