import type { InvitationAnswer, InvitationQuestion } from '@fiado/contracts/staff-sign-in';
import type { Context } from '../context';
import { findInvited } from '../db/staff.repository';
import { hashOfToken } from '../domain/secret-token';

/** Whom an invitation is for. Changes nothing, because previews of links open it too. */
export async function openInvitation(
  { db, config }: Context,
  { invitationToken }: InvitationQuestion,
): Promise<InvitationAnswer> {
  const member = await findInvited(db, hashOfToken(invitationToken));
  if (member === undefined) return { valid: false };
  const { name, email, role } = member;
  return { valid: true, name, email, role, passkeyOptional: config.FIADO_MODE === 'sandbox' };
}
