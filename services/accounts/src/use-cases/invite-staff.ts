import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { OpsScope } from '@fiado/shared/contracts/scopes';
import { newId } from '@fiado/shared/new-id';
import { query } from '@fiado/shared/chassis/db/query';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  lockOrInsertStaffMember,
  replaceInvitation,
  type StaffMember,
} from '../db/staff.repository';
import { INVITATION_LIFE_MS } from '../domain/staff-session';
import { newSecretToken } from '../domain/secret-token';

/**
 * A one-use link, valid for 24 hours, with which a person makes a passkey. Inviting somebody again
 * makes the earlier links void; whoever was disabled may come back. Only the link's hash is kept.
 * @throws AppError STAFF_ALREADY_EXISTS when this person has another name or role
 */
export async function inviteStaff(
  { db, config }: Context,
  { by, email, name, role }: { by: Caller; email: string; name: string; role: OpsScope },
): Promise<{ member: StaffMember; invitationLink: string }> {
  const { token, tokenHash: hash } = newSecretToken('fiado_invite_');
  const member = await db.transaction(async (tx) => {
    const id = newId();
    const known = await lockOrInsertStaffMember(tx, { id, email: email.toLowerCase(), name, role });
    if (known.name !== name || known.role !== role) throw new AppError('STAFF_ALREADY_EXISTS');
    await query(tx, 'UPDATE staff SET disabled_at = NULL WHERE id = $1', [known.id]);
    const lifeMs = INVITATION_LIFE_MS;
    await replaceInvitation(tx, { id: newId(), staffId: known.id, tokenHash: hash, lifeMs });
    const details = { role, again: known.id !== id };
    await recordAudit(tx, { by, action: 'staff.invited', objectId: known.id, details });
    return { ...known, disabledAt: null };
  });
  return { member, invitationLink: new URL(`/invitacion/${token}`, config.CONSOLE_URL).href };
}
