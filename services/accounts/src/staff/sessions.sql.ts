import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { IsNull } from '@fiado/chassis/db/typeorm';
import { StaffSessionRow } from './staff-session.entity';
import type { StaffRow } from './staff.entity';

/** A session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 30 * 60_000;

/** A session ends after this, however much it is used: one working day. */
export const SESSION_LIFE_MS = 12 * 60 * 60_000;

/** A live session and the person that it is of. */
export type LiveSession = Pick<StaffRow, 'id' | 'name' | 'role'> &
  Pick<StaffSessionRow, 'staffId' | 'authTime' | 'endsAt'>;

export const LIVE = 'e.ended_at IS NULL AND e.idle_until > now() AND e.ends_at > now()';

export const LIVE_SESSION = `e.id, e.staff_id, s.name, s.role, e.auth_time, e.ends_at`;

/** A condition on a session `e`: the person had signed in before, and not from its address. Ended sessions are kept 30 days. */
export const IS_ELSEWHERE = `
  (EXISTS (SELECT FROM audit_log a
            WHERE a.object_id = e.staff_id AND a.action = 'staff.signed-in'
              AND a.occurred_at < e.created_at)
   AND NOT EXISTS (SELECT FROM staff_sessions s
                    WHERE s.staff_id = e.staff_id AND s.id < e.id
                      AND s.address IS NOT DISTINCT FROM e.address))`;

/** The live session with that id: a token of the API names it. */
export function findLiveSession(db: Db, id: string): Promise<LiveSession | undefined> {
  return queryRow<LiveSession>(
    db,
    `SELECT ${LIVE_SESSION} FROM staff_sessions e JOIN staff s ON s.id = e.staff_id
      WHERE e.id = $1 AND ${LIVE} AND s.disabled_at IS NULL`,
    [id],
  );
}

/** Ends all sessions of a person: its role changed, or its passkey. */
export async function endSessionsOf(tx: Db, staffId: string): Promise<void> {
  await tx.manager.update(
    StaffSessionRow,
    { staffId, endedAt: IsNull() },
    { endedAt: () => 'now()' },
  );
}
