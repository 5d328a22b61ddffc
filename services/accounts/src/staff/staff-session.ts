import type { Transaction } from '@fiado/chassis/db/database';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import {
  type NewStaffSession,
  signInWaysCall,
  signOutCall,
  type StaffSessionQuestion,
  type StaffToken,
  staffTokenCall,
} from '@fiado/contracts/staff-sign-in';
import { recordAudit, opsActor } from '../audit/audit-log';
import type { Context } from '../context';
import { signStaffToken } from '../keys/access-token';
import { hashOfToken, newSecretToken } from '../keys/secrets';
import { endSessionByToken, insertSession, type SessionDevice, touchSession } from './sessions.sql';

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
  handle: issueStaffToken,
});

export const signOutEndpoint = internalEndpoint({
  call: signOutCall,
  allow: ['anonymous'],
  handle: async (context: Context, session) => {
    await signOut(context, session);
    return {};
  },
});

/** How the person proved who it is. */
type SignInMethod = 'passkey' | 'identity-provider' | 'sandbox-link';

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
    authTime,
    address,
    agent,
  }: SessionDevice & {
    staffId: string;
    method: SignInMethod;
    replaces?: string | undefined;
    authTime?: Date;
  },
): Promise<NewStaffSession> {
  if (replaces !== undefined) {
    const ended = await endSessionByToken(tx, hashOfToken(replaces));
    if (ended?.staffId !== staffId) throw new AppError('SIGN_IN_NOT_VALID');
  }
  const { token, tokenHash: hash } = newSecretToken('fiado_session_');
  const id = newId();
  const session = { id, staffId, tokenHash: hash, authTime, address, agent };
  const { endsAt } = await insertSession(tx, session);
  await recordAudit(tx, {
    by: opsActor(staffId),
    action: 'staff.signed-in',
    objectId: staffId,
    details: { method, sessionId: id, again: replaces !== undefined },
  });
  return { sessionToken: token, endsAt: endsAt.toISOString() };
}

/**
 * Turns a session into a credential of the API for five minutes, which ends with the session.
 * @throws AppError UNAUTHORIZED when the session has ended
 */
async function issueStaffToken(
  { db, clock, accessTokenKeys }: Context,
  { sessionToken }: StaffSessionQuestion,
): Promise<StaffToken> {
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
}

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
