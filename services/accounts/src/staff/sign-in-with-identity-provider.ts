import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import {
  beginIdentityProviderSignInCall,
  identityProviderSignInCall,
} from '@fiado/contracts/staff-sign-in';
import { opsActor } from '../audit/audit-log';
import type { Context } from '../context';
import { hashOfToken, newSecretToken } from '../keys/secrets';
import { setStaffRole } from './change-staff-role';
import type { ProvenIdentity } from './identity-provider';
import { endSessionsOf, SESSION_LIFE_MS } from './sessions.sql';
import { insertChallenge, takeChallenge } from './sign-in.sql';
import { endConfirmedSession, openStaffSession } from './staff-session';
import { cancelInvitations, lockStaffMember } from './staff.sql';
import { StaffCredentialRow } from './staff-credential.entity';
import { StaffRow } from './staff.entity';
import { IsNull } from '@fiado/chassis/db/typeorm';

/** How long ago a person who confirms a session may have signed in there, in seconds. */
const MAX_AGE_AGAIN = 60;

/** Time to sign in at the identity provider, which may ask for more than a touch. */
export const IDENTITY_PROVIDER_LIFE_MS = 10 * 60_000;

export const beginIdentityProviderSignInEndpoint = internalEndpoint({
  call: beginIdentityProviderSignInCall,
  allow: ['anonymous'],
  // Begins a sign-in at the identity provider.
  handle: async ({ db, identityProvider }: Context, { again }) => {
    if (identityProvider === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    const maxAge = again ? MAX_AGE_AGAIN : SESSION_LIFE_MS / 1000;
    const { url, ...begun } = await identityProvider.begin(maxAge);
    const { token, tokenHash: hash } = newSecretToken('fiado_login_');
    const challenge = { hash, purpose: 'identity-provider', ...begun } as const;
    await insertChallenge(db, challenge, IDENTITY_PROVIDER_LIFE_MS);
    return { url, loginToken: token };
  },
});

export const signInWithIdentityProviderEndpoint = internalEndpoint({
  call: identityProviderSignInCall,
  allow: ['anonymous'],
  // Signs in the person that the identity provider names. The first sign-in finds the person by its
  // verified e-mail address, which must have been invited; later ones find it by the provider's id. Where
  // the provider decides roles, a new role replaces the person's and ends the sessions with the old one.
  // A person without a root becomes a root: the provider has proved who it is.
  handle: async (
    { db, identityProvider }: Context,
    { loginToken, query: search, sessionToken, address, agent },
  ) => {
    const begun = await takeChallenge(db, hashOfToken(loginToken), 'identity-provider');
    if (identityProvider === undefined || begun === undefined) {
      throw new AppError('SIGN_IN_NOT_VALID');
    }
    const { state, nonce, codeVerifier, maxAge } = begun;
    if (state == null || nonce == null || codeVerifier == null || maxAge == null) {
      throw new Error('An attempt at the identity provider lacks its state');
    }
    const identity = await identityProvider.finish(search, { state, nonce, codeVerifier, maxAge });

    return db.transaction(async (tx) => {
      const staffId = (await findLinked(tx, identity)) ?? (await linkByEmail(tx, identity));
      if (staffId === undefined) throw new AppError('SIGN_IN_NOT_ALLOWED');
      // Before a new role or a root ends all sessions of this person.
      if (sessionToken !== undefined) await endConfirmedSession(tx, staffId, sessionToken);
      await becomeRoot(tx, staffId);
      await takeRole(tx, staffId, identity);
      const { authTime } = identity;
      const method = 'identity-provider';
      const again = sessionToken !== undefined;
      return openStaffSession(tx, { staffId, method, again, authTime, address, agent });
    });
  },
});

async function findLinked(tx: Db, { sub }: ProvenIdentity): Promise<string | undefined> {
  const member = await tx.manager.findOne(StaffRow, {
    where: { oidcSub: sub, disabledAt: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  return member?.id;
}

/** In one statement, so that of two identities with one address only the first is linked. */
async function linkByEmail(tx: Db, { sub, email }: ProvenIdentity): Promise<string | undefined> {
  if (email === undefined) return undefined;
  const [linked] = await query<Pick<StaffRow, 'id'>>(
    tx,
    `UPDATE staff SET oidc_sub = $2
      WHERE email = $1 AND oidc_sub IS NULL AND disabled_at IS NULL
        AND NOT EXISTS (SELECT FROM staff other WHERE other.oidc_sub = $2)
     RETURNING id`,
    [email.toLowerCase(), sub],
  );
  return linked?.id;
}

/**
 * Makes a person without a root a new root. Its earlier passkeys, sessions and links end: another human may
 * have them.
 */
async function becomeRoot(tx: Transaction, staffId: string): Promise<void> {
  const rooted = await query(
    tx,
    `UPDATE staff SET root_id = id, version = version + 1
      WHERE id = $1 AND root_id IS NULL RETURNING id`,
    [staffId],
  );
  if (rooted.length === 0) return;
  await tx.manager.delete(StaffCredentialRow, { staffId });
  await cancelInvitations(tx, staffId);
  await endSessionsOf(tx, staffId);
}

/** Gives a person the role that the provider names, if it names another one. */
async function takeRole(tx: Transaction, staffId: string, { role }: ProvenIdentity): Promise<void> {
  const member = role === undefined ? undefined : await lockStaffMember(tx, staffId);
  if (role === undefined || member === undefined || member.role === role) return;
  const auditDetails = { decidedBy: 'identity-provider' };
  await setStaffRole(tx, member, { by: opsActor(staffId), role, auditDetails });
}
