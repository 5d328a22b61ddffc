import { updateRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { cancelInvitations, lockStaffMember, type StaffMember } from '../db/staff.repository';
import { endSessionsOf } from '../db/staff-sessions.repository';
import { keepOneAdmin } from '../steps/keep-one-admin';

/**
 * Ends a person's access: its sessions and its open invitations. A new invitation gives it back. One
 * person is enough, so that a stolen account is shut at once.
 * @throws AppError STAFF_NOT_FOUND, LAST_ADMIN
 */
export function disableStaff(
  { db, clock }: Context,
  { by, staffId }: { by: Caller; staffId: string },
): Promise<StaffMember> {
  return db.transaction(async (tx) => {
    await keepOneAdmin(tx, by, staffId);
    const member = await lockStaffMember(tx, staffId);
    if (member === undefined) throw new AppError('STAFF_NOT_FOUND');
    if (member.disabledAt !== null) return member;
    const disabledAt = clock.now();
    const changes = { disabledAt, version: member.version + 1 };
    await updateRow(tx, 'staff', staffId, changes);
    await cancelInvitations(tx, staffId);
    await endSessionsOf(tx, staffId);
    await recordAudit(tx, { by, action: 'staff.disabled', objectId: staffId });
    return { ...member, ...changes };
  });
}
