import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { ChangeKindName } from '@fiado/contracts/change-requests';
import type { NewChangeRequest } from './change-requests.repository';

/** The change of a target that waits. @returns whether it is the wanted one, by the same person */
export function findOpenChange(
  db: Db,
  {
    kind,
    targetId,
    payload,
    requestedBy,
  }: Pick<NewChangeRequest, 'kind' | 'targetId' | 'payload' | 'requestedBy'>,
): Promise<{ id: string; isSame: boolean } | undefined> {
  return queryRow(
    db,
    `SELECT id, payload = $3::jsonb AND requested_by = $4 AS "isSame" FROM change_requests
      WHERE kind = $1 AND target_id = $2
        AND status IN ('pending', 'approved') AND target_version IS NOT NULL`,
    [kind, targetId, payload, requestedBy],
  );
}

/** The same undecided change, whose target has no version, by the same person. @returns its id */
export async function findSameChange(
  db: Db,
  { kind, targetId, payload, requestedBy }: Omit<NewChangeRequest, 'id'>,
): Promise<string | undefined> {
  const found = await queryRow<{ id: string }>(
    db,
    `SELECT id FROM change_requests
      WHERE kind = $1 AND target_id = $2 AND payload = $3::jsonb AND requested_by = $4
        AND status = 'pending' AND expires_at > now()
      ORDER BY id LIMIT 1`,
    [kind, targetId, payload, requestedBy],
  );
  return found?.id;
}

/** Fails the undecided changes of a target. @returns their ids */
export async function failPendingChanges(
  tx: Db,
  {
    kind,
    targetId,
    exceptVersion = null,
    failure,
  }: {
    kind: ChangeKindName;
    targetId: string;
    exceptVersion?: number | null | undefined;
    failure: string;
  },
): Promise<string[]> {
  const failed = await query<{ id: string }>(
    tx,
    `UPDATE change_requests SET status = 'failed', failure = $4, sealed_payload = NULL
      WHERE kind = $1 AND target_id = $2 AND status = 'pending' AND target_version IS NOT NULL
        AND target_version IS DISTINCT FROM $3
      RETURNING id`,
    [kind, targetId, exceptVersion, failure],
  );
  return failed.map(({ id }) => id);
}

/** SQL of the change of a target that waits, as a PendingChange, or null. */
export function pendingChangeOf(targetId: string, kinds: ChangeKindName[]): string {
  return `
    (SELECT json_build_object('changeRequestId', r.id, 'kind', r.kind,
              'requestedBy', r.requested_by, 'requestedAt', r.requested_at)
       FROM change_requests r
      WHERE r.kind IN ('${kinds.join("', '")}') AND r.target_id = ${targetId}
        AND r.status IN ('pending', 'approved') AND r.target_version IS NOT NULL
      ORDER BY r.id LIMIT 1) AS "pendingChange"`;
}
