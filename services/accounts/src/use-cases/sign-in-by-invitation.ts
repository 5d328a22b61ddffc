import type { InvitationSignIn, NewStaffSession } from '@fiado/contracts/staff-sign-in';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { useInvitation } from '../db/staff.repository';
import { hashOfToken } from '../domain/secret-token';
import { openStaffSession } from '../steps/open-staff-session';

/**
 * Signs in by an invitation alone, which is used up: how a newcomer enters a sandbox.
 * @throws AppError SIGN_IN_NOT_VALID, always in production
 */
export function signInByInvitation(
  { db, config }: Context,
  { invitationToken, address, agent }: InvitationSignIn,
): Promise<NewStaffSession> {
  if (config.FIADO_MODE !== 'sandbox') throw new AppError('SIGN_IN_NOT_VALID');
  return db.transaction(async (tx) => {
    const staffId = await useInvitation(tx, hashOfToken(invitationToken));
    if (staffId === undefined) throw new AppError('SIGN_IN_NOT_VALID');
    return openStaffSession(tx, { staffId, method: 'sandbox-link', address, agent });
  });
}
