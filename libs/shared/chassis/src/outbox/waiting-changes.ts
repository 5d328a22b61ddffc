import type { Caller } from '@fiado/contracts/caller';
import { type ChangeKindName, ChangeRequested } from '@fiado/contracts/change-requests';
import type { JobDefinition } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import {
  type ChangeDecided,
  type ChangeExecuted,
  changeJobsOf,
  type RequestedChange,
} from '@fiado/contracts/jobs/changes';
import { newId } from '@fiado/contracts/new-id';
import type { Transaction } from '../db/database';
import { queryOne, queryRow } from '../db/query';
import type { Foundation } from '../service';
import { appendToOutbox, outboxRows } from './append';
import { enterInbox } from './inbox';

/**
 * A change that waits for a second person: a row of the table waiting_changes of the service that makes the change.
 * At most one waits for each target.
 */
export interface WaitingChange<Kind extends ChangeKindName = ChangeKindName> {
  targetId: string;
  changeRequestId: string;
  kind: Kind;
  payload: object;
  requestedBy: string;
  requestedAt: Date;
}

/** A change that waits, if a second person is needed for it. */
export interface WantedChange extends Pick<
  RequestedChange,
  'kind' | 'payload' | 'before' | 'reason' | 'depositVersion'
> {
  by: Pick<Caller, 'id'>;
  /** Absent where each request is another change: the request is its own target. */
  targetId?: string;
  /** What only this service gets of it. It is not compared with that of an earlier request. */
  kept?: object;
  /** What the second person sees, where it is not the payload. */
  shown?: object;
}

/** SQL: the change of a target that waits for a second person, or null. @param targetId SQL of the id */
export const pendingChangeOf = (targetId: string): string => `
  (SELECT json_build_object('changeRequestId', w.change_request_id, 'kind', w.kind,
                            'requestedBy', w.requested_by, 'requestedAt', w.requested_at)
     FROM waiting_changes w WHERE w.target_id = ${targetId})`;

/**
 * Stores a change that waits for a second person; accounts asks that person. If the same person requests
 * the same change of the same target again, it is the same request. The caller has locked the target.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the target waits
 */
export async function requestChange(
  tx: Transaction,
  { by, kept = {}, shown, ...change }: WantedChange,
): Promise<ChangeRequested> {
  const { kind, payload } = change;
  const newRequestId = newId();
  const { targetId = newRequestId } = change;
  // The change that waits now: this one, or the one before it.
  const { changeRequestId, isNew, isSame } = await queryOne<{
    changeRequestId: string;
    isNew: boolean;
    isSame: boolean;
  }>(
    tx,
    `WITH added AS (
       INSERT INTO waiting_changes (target_id, change_request_id, kind, payload, requested_by)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING change_request_id)
     SELECT change_request_id, true AS "isNew", true AS "isSame" FROM added
     UNION ALL
     SELECT change_request_id, false, kind = $3 AND requested_by = $5
              AND payload - $6::text[] = $4::jsonb - $6::text[]
       FROM waiting_changes WHERE target_id = $1`,
    [targetId, newRequestId, kind, { ...payload, ...kept }, by.id, Object.keys(kept)],
  );
  if (!isSame) throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
  if (isNew) {
    const { requested, target } = changeJobsOf(kind);
    const job = { ...change, payload: shown ?? payload, changeRequestId, requestedBy: by.id };
    const aggregate = { id: changeRequestId, version: 1 };
    await appendToOutbox(
      tx,
      outboxRows(requested, aggregate, { ...job, targetId, [target]: targetId }),
    );
  }
  return new ChangeRequested(changeRequestId);
}

/** Why a waiting change was not made. */
export type Refusal = { status: 'rejected' | 'expired' } | { status: 'failed'; failure: string };

/** How a service makes the waiting changes of a subject. */
interface ChangeMaker<Kind extends ChangeKindName, Target> {
  /** The job that tells accounts the outcome of an approved change. */
  executed: JobDefinition<ChangeExecuted>;
  /** The failure of an approved change that is gone; absent where only a decision deletes one. */
  whenGone?: string;
  /** Locks what is changed. */
  lock: (tx: Transaction, change: WaitingChange<Kind>) => Promise<Target>;
  /** @returns why the change is not made. An AppError rolls it back, and accounts gets its code as the failure. */
  make: (
    tx: Transaction,
    change: WaitingChange<Kind>,
    decided: { target: Target; approvedBy: string | null },
  ) => Promise<string | undefined>;
  /** Records that nobody approved a change, or that it ended with an AppError. */
  refuse?: (
    tx: Transaction,
    change: WaitingChange<Kind>,
    refusal: Refusal,
    target: Target,
  ) => Promise<void>;
}

/**
 * Makes a change that a second person approved, or deletes one that is rejected or expired: once for each message.
 * @returns the change that was made
 */
export async function decideChange<Kind extends ChangeKindName, Target>(
  { db }: Pick<Foundation, 'db'>,
  messageId: string,
  { changeRequestId, isApproved, decidedBy }: ChangeDecided,
  { executed, whenGone, lock, make, refuse }: ChangeMaker<Kind, Target>,
): Promise<WaitingChange<Kind> | undefined> {
  const tellOutcome = async (tx: Transaction, failure: string | undefined): Promise<void> => {
    const aggregate = { id: changeRequestId, version: 2 };
    await appendToOutbox(tx, outboxRows(executed, aggregate, { changeRequestId, failure }));
  };
  const finish = (errorCode?: string) =>
    db.transaction(async (tx) => {
      if (!(await enterInbox(tx, messageId))) return undefined;
      const taken = await takeChange(tx, changeRequestId, lock);
      if (taken === undefined) {
        if (isApproved && whenGone !== undefined) await tellOutcome(tx, whenGone);
        return undefined;
      }
      const { change, target } = taken;
      if (!isApproved) {
        // An expired change has no decision.
        const status = decidedBy === undefined ? 'expired' : 'rejected';
        await refuse?.(tx, change, { status }, target);
        return undefined;
      }
      if (errorCode !== undefined) {
        await refuse?.(tx, change, { status: 'failed', failure: errorCode }, target);
      }
      const decided = { target, approvedBy: decidedBy ?? null };
      const failure = errorCode ?? (await make(tx, change, decided));
      await tellOutcome(tx, failure);
      return failure === undefined ? change : undefined;
    });
  return finish().catch((error: unknown) => {
    // This transaction is rolled back; another one records the failure.
    if (!(error instanceof AppError)) throw error;
    return finish(error.code);
  });
}

/** Takes a decided change away, and locks what it is about. @returns undefined when it is gone already */
async function takeChange<Kind extends ChangeKindName, Target>(
  tx: Transaction,
  changeRequestId: string,
  lock: ChangeMaker<Kind, Target>['lock'],
): Promise<{ change: WaitingChange<Kind>; target: Target } | undefined> {
  const waiting = await queryRow<WaitingChange<Kind>>(
    tx,
    'SELECT * FROM waiting_changes WHERE change_request_id = $1',
    [changeRequestId],
  );
  if (waiting === undefined) return undefined;
  // First what is changed, then the row: a request for a change locks in the same order.
  const target = await lock(tx, waiting);
  const change = await queryRow<WaitingChange<Kind>>(
    tx,
    'DELETE FROM waiting_changes WHERE change_request_id = $1 RETURNING *',
    [changeRequestId],
  );
  return change && { change, target };
}
