import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import {
  beginPasskeyEnrolmentCall,
  enrolPasskeyCall,
  type InvitationAnswer,
  invitationSignInCall,
  openInvitationCall,
} from '@fiado/contracts/staff-sign-in';
import { opsActor, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { hashOfToken } from '../keys/secrets';
import { challengeIn } from './passkeys';
import { endSessionsOf } from './sessions.sql';
import {
  CHALLENGE_LIFE_MS,
  insertChallenge,
  type StaffCredential,
  takeChallenge,
} from './sign-in.sql';
import { openStaffSession } from './staff-session';
import { STAFF_MEMBER, type StaffMember } from './staff.sql';
import { StaffCredentialRow } from './staff-credential.entity';
import type { StaffRow } from './staff.entity';

export const openInvitationEndpoint = internalEndpoint({
  call: openInvitationCall,
  allow: ['anonymous'],
  // Whom an invitation is for. Changes nothing, because previews of links open it too.
  handle: async ({ db, config }: Context, { invitationToken }): Promise<InvitationAnswer> => {
    const member = await findInvited(db, hashOfToken(invitationToken));
    if (member === undefined) return { valid: false };
    const { name, email, role } = member;
    return { valid: true, name, email, role, passkeyOptional: config.FIADO_MODE === 'sandbox' };
  },
});

export const beginPasskeyEnrolmentEndpoint = internalEndpoint({
  call: beginPasskeyEnrolmentCall,
  allow: ['anonymous'],
  // Begins to make a passkey for an invitation.
  handle: async ({ db, passkeys }: Context, { invitationToken }) => {
    const member = await findInvited(db, hashOfToken(invitationToken));
    if (member === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    const options = await passkeys.creationOptions(member);
    const hash = hashOfToken(options.challenge);
    const challenge = { hash, purpose: 'enrol', staffId: member.id } as const;
    await insertChallenge(db, challenge, CHALLENGE_LIFE_MS);
    return { options };
  },
});

export const enrolPasskeyEndpoint = internalEndpoint({
  call: enrolPasskeyCall,
  allow: ['anonymous'],
  // Makes a new passkey the person's only one, uses the invitation up and signs in. The person's
  // other sessions end, because the invitation may stand for a lost passkey.
  handle: async ({ db, passkeys }: Context, { invitationToken, response, address, agent }) => {
    const challenge = challengeIn(response);
    if (challenge === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    const begun = await takeChallenge(db, hashOfToken(challenge), 'enrol');
    if (begun === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    const passkey = await passkeys.verifyCreation(response, challenge);
    if (passkey === undefined) throw new AppError('SIGN_IN_NOT_VALID');

    return db.transaction(async (tx) => {
      const staffId = await useInvitation(tx, hashOfToken(invitationToken));
      if (staffId === undefined || staffId !== begun.staffId)
        throw new AppError('SIGN_IN_NOT_VALID');
      const isNew = await replaceCredentials(tx, { ...passkey, staffId });
      if (!isNew) throw new AppError('SIGN_IN_NOT_VALID');
      await endSessionsOf(tx, staffId);
      const by = opsActor(staffId);
      await recordAudit(tx, { by, action: 'staff.passkey-enrolled', objectId: staffId });
      return openStaffSession(tx, { staffId, method: 'passkey', address, agent });
    });
  },
});

export const signInByInvitationEndpoint = internalEndpoint({
  call: invitationSignInCall,
  allow: ['anonymous'],
  // Signs in by an invitation alone, which is used up: how a newcomer enters a sandbox.
  handle: ({ db, config }: Context, { invitationToken, address, agent }) => {
    if (config.FIADO_MODE !== 'sandbox') throw new AppError('SIGN_IN_NOT_VALID');
    return db.transaction(async (tx) => {
      const staffId = await useInvitation(tx, hashOfToken(invitationToken));
      if (staffId === undefined) throw new AppError('SIGN_IN_NOT_VALID');
      return openStaffSession(tx, { staffId, method: 'sandbox-link', address, agent });
    });
  },
});

/** Whom an open invitation is for. */
function findInvited(db: Db, tokenHash: Buffer): Promise<StaffMember | undefined> {
  return queryRow<StaffMember>(
    db,
    `SELECT ${STAFF_MEMBER} FROM staff_invitations i JOIN staff s ON s.id = i.staff_id
      WHERE i.token_hash = $1 AND i.used_at IS NULL AND i.expires_at > now()
        AND s.disabled_at IS NULL`,
    [tokenHash],
  );
}

/**
 * Uses an invitation up, in one statement, so that only one of two callers gets it, and notes who
 * held its link. A person who had no root gets that of the link. The person is locked first, as where it
 * is invited.
 */
async function useInvitation(tx: Db, tokenHash: Buffer): Promise<string | undefined> {
  const [used] = await query<{ staffId: StaffRow['id'] }>(
    tx,
    `WITH invited AS (
       SELECT s.id FROM staff_invitations i JOIN staff s ON s.id = i.staff_id
        WHERE i.token_hash = $1 AND s.disabled_at IS NULL FOR UPDATE OF s
     ), used AS (
       UPDATE staff_invitations i SET used_at = now(), opened_at = now() FROM invited
        WHERE i.token_hash = $1 AND i.used_at IS NULL AND i.expires_at > now()
          AND i.staff_id = invited.id
       RETURNING i.staff_id, i.held_by, i.root_id
     )
     UPDATE staff s SET admitted_by = used.held_by, root_id = coalesce(s.root_id, used.root_id),
                        version = s.version + 1
       FROM used WHERE s.id = used.staff_id
     RETURNING s.id AS staff_id`,
    [tokenHash],
  );
  return used?.staffId;
}

/** Makes this the person's only passkey: an invitation is also how a lost one is replaced. */
async function replaceCredentials(tx: Db, credential: StaffCredential): Promise<boolean> {
  await tx.manager.delete(StaffCredentialRow, { staffId: credential.staffId });
  const inserted = await query(
    tx,
    `INSERT INTO staff_credentials (id, staff_id, public_key, counter) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [credential.id, credential.staffId, credential.publicKey, credential.counter],
  );
  return inserted.length === 1;
}
