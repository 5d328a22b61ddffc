import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import {
  type NewStaffSession,
  signInWaysCall,
  signOutCall,
  type StaffSessionQuestion,
  staffTokenCall,
} from '@fiado/contracts/staff-sign-in';
import { opsActor, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { signStaffToken } from '../keys/access-token';
import { hashOfToken, newSecretToken } from '../keys/secrets';
import {
  IS_ELSEWHERE,
  LIVE,
  LIVE_SESSION,
  type LiveSession,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
} from './sessions.sql';
import { StaffSessionRow } from './staff-session.entity';

export const signInWaysEndpoint = internalEndpoint({
  call: signInWaysCall,
  allow: ['anonymous'],
  handle: async ({ identityProvider }: Context) => ({
    identityProvider: identityProvider !== undefined,
  }),
});

export const issueStaffTokenEndpoint = internalEndpoint({
  call: staffTokenCall,
  allow: ['anonymous'],
  // Turns a session into a credential of the API for five minutes, which ends with the session.
  handle: async ({ db, clock, accessTokenKeys }: Context, { sessionToken }) => {
    const session = await touchSession(db, hashOfToken(sessionToken));
    if (session === undefined) throw new AppError('UNAUTHORIZED');
    const { id: sessionId, staffId, name, role } = session;
    const accessToken = await signStaffToken(
      accessTokenKeys.signing,
      { staffId, sessionId },
      clock.now(),
    );
    const authTime = session.authTime.toISOString();
    return { accessToken, sessionId, staffId, name, role, authTime };
  },
});

export const signOutEndpoint = internalEndpoint({
  call: signOutCall,
  allow: ['anonymous'],
  handle: async (context: Context, session) => {
    await signOut(context, session);
    return {};
  },
});

/** Ends a session; ending it again changes nothing. */
async function signOut({ db }: Context, { sessionToken }: StaffSessionQuestion): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await endSessionByToken(tx, hashOfToken(sessionToken));
    if (ended === undefined) return;
    const { id: sessionId, staffId } = ended;
    const by = opsActor(staffId);
    const action = 'staff.session-ended';
    await recordAudit(tx, { by, action, objectId: staffId, details: { sessionId } });
  });
}

/** How the person proved who it is. */
type SignInMethod = 'passkey' | 'identity-provider' | 'sandbox-link';

/** The browser, as the console reported it. */
interface SessionDevice {
  address?: string | undefined;
  agent?: string | undefined;
}

/**
 * Opens a session with a token of its own and audits the sign-in. Confirming an older session ends
 * it, so that a copied cookie gains nothing from it.
 * @param replaces the token of the session that is confirmed
 * @param authTime absent: now, by the database's clock
 * @throws AppError SIGN_IN_NOT_VALID when that session is another person's, or has ended
 */
export async function openStaffSession(
  tx: Transaction,
  {
    staffId,
    method,
    replaces,
    again = replaces !== undefined,
    authTime,
    address,
    agent,
  }: SessionDevice & {
    staffId: string;
    method: SignInMethod;
    replaces?: string | undefined;
    /** Whether a session was confirmed, here or by the caller. */
    again?: boolean;
    authTime?: Date;
  },
): Promise<NewStaffSession> {
  if (replaces !== undefined) await endConfirmedSession(tx, staffId, replaces);
  const { token, tokenHash: hash } = newSecretToken('fiado_session_');
  const id = newId();
  const session = { id, staffId, tokenHash: hash, authTime, address, agent };
  const { endsAt, isElsewhere } = await insertSession(tx, session);
  await recordAudit(tx, {
    by: opsActor(staffId),
    action: 'staff.signed-in',
    objectId: staffId,
    details: { method, sessionId: id, again },
  });
  if (isElsewhere) {
    await recordAudit(tx, {
      by: opsActor(staffId),
      action: 'staff.signed-in-elsewhere',
      objectId: staffId,
      details: { sessionId: id },
    });
  }
  return { sessionToken: token, endsAt: endsAt.toISOString() };
}

/**
 * Ends the session that a person confirms.
 * @throws AppError SIGN_IN_NOT_VALID when that session is another person's, or has ended
 */
export async function endConfirmedSession(
  tx: Transaction,
  staffId: string,
  token: string,
): Promise<void> {
  const ended = await endSessionByToken(tx, hashOfToken(token));
  if (ended?.staffId !== staffId) throw new AppError('SIGN_IN_NOT_VALID');
}

/** Ended sessions are kept this long, so that a person can recognise a stranger's. */
const KEPT_DAYS = 30;

/** @param authTime undefined: the person proved now who it is, by the database's clock */
async function insertSession(
  tx: Db,
  session: SessionDevice & {
    id: string;
    staffId: string;
    tokenHash: Buffer;
    authTime?: Date | undefined;
  },
): Promise<{ endsAt: Date; isElsewhere: boolean }> {
  await query(
    tx,
    `DELETE FROM staff_sessions
      WHERE staff_id = $1 AND ends_at < now() - make_interval(days => ${KEPT_DAYS})`,
    [session.staffId],
  );
  return queryOne<Pick<StaffSessionRow, 'endsAt'> & { isElsewhere: boolean }>(
    tx,
    `INSERT INTO staff_sessions AS e
       (id, staff_id, token_hash, auth_time, idle_until, ends_at, address, agent)
     VALUES ($1, $2, $3, least($4::timestamptz, now()),
             now() + make_interval(secs => $5::float / 1000),
             now() + make_interval(secs => $6::float / 1000), $7, $8)
     RETURNING ends_at, ${IS_ELSEWHERE} AS is_elsewhere`,
    [
      session.id,
      session.staffId,
      session.tokenHash,
      session.authTime,
      SESSION_IDLE_MS,
      SESSION_LIFE_MS,
      session.address,
      session.agent,
    ],
  );
}

/** A session that is used all the time is written this often, in seconds. */
const IDLE_PRECISION_SECONDS = 60;

/** The live session of a token. Using it puts off its end by idleness. */
async function touchSession(db: Db, tokenHash: Buffer): Promise<LiveSession | undefined> {
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
    await db.manager.update(StaffSessionRow, session.id, {
      idleUntil: () => `now() + make_interval(secs => ${SESSION_IDLE_MS / 1000})`,
    });
  }
  return session;
}

/** Ends the session of a token. @returns whose it was, unless it had ended already */
function endSessionByToken(
  tx: Db,
  tokenHash: Buffer,
): Promise<{ id: string; staffId: string } | undefined> {
  return queryRow<Pick<StaffSessionRow, 'id' | 'staffId'>>(
    tx,
    `UPDATE staff_sessions SET ended_at = now() WHERE token_hash = $1 AND ended_at IS NULL
     RETURNING id, staff_id`,
    [tokenHash],
  );
}
