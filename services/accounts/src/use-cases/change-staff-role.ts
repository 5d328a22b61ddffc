import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { includedOpsScopes, type OpsScope } from '@fiado/contracts/scopes';
import type { Context } from '../context';
import { lockStaffMember, type StaffMember } from '../db/staff.repository';
import { keepOneAdmin } from '../steps/keep-one-admin';
import { requestChange } from '../steps/request-change';
import { setStaffRole } from '../steps/set-staff-role';
import { staffNeedsSecondPerson } from '../steps/staff-needs-second-person';

/**
 * Gives a person another role and ends its sessions; the same role again changes nothing. A person's
 * request for a role that allows more waits for a second one.
 * @throws AppError STAFF_NOT_FOUND, LAST_ADMIN, CHANGE_ALREADY_REQUESTED
 */
export function changeStaffRole(
  { db, config }: Context,
  { by, staffId, role }: { by: Caller; staffId: string; role: OpsScope },
): Promise<StaffMember | ChangeRequested> {
  return db.transaction(async (tx) => {
    if (role !== 'admin') await keepOneAdmin(tx, by, staffId);
    const member = await lockStaffMember(tx, staffId);
    if (member === undefined) throw new AppError('STAFF_NOT_FOUND');
    if (member.role === role) return member;
    const isRaise = includedOpsScopes(role).includes(member.role);
    if (!isRaise || !(await staffNeedsSecondPerson(tx, config.FOUR_EYES, by))) {
      return setStaffRole(tx, member, { by, role });
    }
    return requestChange(tx, {
      by,
      kind: 'staff.role',
      targetId: staffId,
      targetVersion: member.version,
      payload: { role },
      before: { role: member.role },
      reason: null,
    });
  });
}
