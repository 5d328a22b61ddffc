import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { OpsScope } from '@fiado/contracts/caller';

/** A session ends when it was not used for this long. */
const SESSION_IDLE_MS = 30 * 60_000;

/** A session ends after this, however much it is used: one working day. */
export const SESSION_LIFE_MS = 12 * 60 * 60_000;

/** A live session and the person that it is of. */
export interface LiveSession {
  id: string;
  staffId: string;
  name: string;
  role: OpsScope;
  authTime: Date;
  endsAt: Date;
}

/** A session as its owner sees it. */
export interface OwnSession {
  id: string;
  authTime: Date;
  idleUntil: Date;
  endsAt: Date;
  address: string | null;
  agent: string | null;
  createdAt: Date;
}

/** What the console told about the browser. */
export interface SessionDevice {
  address?: string | undefined;
  agent?: string | undefined;
}

const LIVE = 'e.ended_at IS NULL AND e.idle_until > now() AND e.ends_at > now()';
const LIVE_SESSION = `e.id, e.staff_id, s.name, s.role, e.auth_time, e.ends_at`;
/** Ended sessions are kept this long, so that a person can recognise a stranger's. */
const KEPT_DAYS = 30;
/** A session that is used all the time is written this often, in seconds. */
const IDLE_PRECISION_SECONDS = 60;

/** @param authTime undefined: the person proved now who it is, by the database's clock */
export async function insertSession(
  tx: Db,
  session: SessionDevice & {
    id: string;
    staffId: string;
    tokenHash: Buffer;
    authTime?: Date | undefined;
  },
): Promise<{ endsAt: Date }> {
  await query(
    tx,
    `DELETE FROM staff_sessions
      WHERE staff_id = $1 AND ends_at < now() - make_interval(days => ${KEPT_DAYS})`,
    [session.staffId],
  );
  const [inserted] = await query<{ endsAt: Date }>(
    tx,
    `INSERT INTO staff_sessions
       (id, staff_id, token_hash, auth_time, idle_until, ends_at, address, agent)
     VALUES ($1, $2, $3, least($4::timestamptz, now()),
             now() + make_interval(secs => $5::float / 1000),
             now() + make_interval(secs => $6::float / 1000), $7, $8)
     RETURNING ends_at`,
    [
      session.id,
      session.staffId,
      session.tokenHash,
      session.authTime ?? null,
      SESSION_IDLE_MS,
      SESSION_LIFE_MS,
      session.address ?? null,
      session.agent ?? null,
    ],
  );
  if (inserted === undefined) throw new Error('INSERT returned no row');
  return inserted;
}

/** The live session of a token. Using it puts off its end by idleness. */
export async function touchSession(db: Db, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const [session] = await query<LiveSession & { isStale: boolean }>(
    db,
    `SELECT ${LIVE_SESSION},
            e.idle_until < now() + make_interval(secs => $2::float / 1000 - ${IDLE_PRECISION_SECONDS})
              AS is_stale
       FROM staff_sessions e JOIN staff s ON s.id = e.staff_id
      WHERE e.token_hash = $1 AND ${LIVE} AND s.disabled_at IS NULL`,
    [tokenHash, SESSION_IDLE_MS],
  );
  if (session?.isStale === true) {
    await query(
      db,
      `UPDATE staff_sessions SET idle_until = now() + make_interval(secs => $2::float / 1000)
        WHERE id = $1`,
      [session.id, SESSION_IDLE_MS],
    );
  }
  return session;
}

/** The live session with that id: a token of the API names it. */
export async function findLiveSession(db: Db, id: string): Promise<LiveSession | undefined> {
  const [session] = await query<LiveSession>(
    db,
    `SELECT ${LIVE_SESSION} FROM staff_sessions e JOIN staff s ON s.id = e.staff_id
      WHERE e.id = $1 AND ${LIVE} AND s.disabled_at IS NULL`,
    [id],
  );
  return session;
}

/** A person's live sessions, newest first. */
export function findOwnSessions(
  db: Db,
  staffId: string,
  cursor: string | undefined,
  limit: number,
): Promise<OwnSession[]> {
  return query<OwnSession>(
    db,
    `SELECT e.id, e.auth_time, e.idle_until, e.ends_at, e.address, e.agent, e.created_at
       FROM staff_sessions e
      WHERE e.staff_id = $1 AND ${LIVE} AND ($2::uuid IS NULL OR e.id < $2)
      ORDER BY e.id DESC LIMIT $3`,
    [staffId, cursor ?? null, limit],
  );
}

/** Ends the session of a token. @returns whose it was, unless it had ended already */
export async function endSessionByToken(
  tx: Db,
  tokenHash: Buffer,
): Promise<{ id: string; staffId: string } | undefined> {
  const [ended] = await query<{ id: string; staffId: string }>(
    tx,
    `UPDATE staff_sessions SET ended_at = now() WHERE token_hash = $1 AND ended_at IS NULL
     RETURNING id, staff_id`,
    [tokenHash],
  );
  return ended;
}

/** @returns false when the person has no such live session */
export async function endOwnSession(tx: Db, staffId: string, sessionId: string): Promise<boolean> {
  const ended = await query(
    tx,
    `UPDATE staff_sessions e SET ended_at = now() WHERE e.id = $1 AND e.staff_id = $2 AND ${LIVE}
     RETURNING e.id`,
    [sessionId, staffId],
  );
  return ended.length === 1;
}

/** Ends all sessions of a person: its role changed, or its passkey. */
export async function endSessionsOf(tx: Db, staffId: string): Promise<void> {
  await query(
    tx,
    'UPDATE staff_sessions SET ended_at = now() WHERE staff_id = $1 AND ended_at IS NULL',
    [staffId],
  );
}
