import { IsIn } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { type FourEyes, needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { DescribedAs } from '@fiado/contracts/about';
import {
  type Caller,
  includedOpsScopes,
  type OpsScope,
  SCOPES_OF_KIND,
} from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { requestChange } from '../approvals/request-change';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { endOpsAccess } from './end-access';
import { exampleStaff, presentStaff, staffAnswer, staffFields } from './list-staff';
import { endSessionsOf } from './sessions.sql';
import { lockStaffMember, type StaffMember } from './staff.sql';
import { StaffRow } from './staff.entity';
import { StaffSessionRow } from './staff-session.entity';
import { IsNull } from '@fiado/chassis/db/typeorm';

@DescribedAs(staffFields)
class ChangeStaffRoleBody extends AskedReasonBody {
  @IsIn(SCOPES_OF_KIND.ops)
  role: OpsScope;
}

export const changeStaffRoleEndpoint = endpoint({
  id: 'changeStaffRole',
  as: 'staff.changeRole',
  tag: 'Ops: staff',
  route: 'PUT /v1/admin/staff/:staffId',
  scope: 'admin',
  summary: 'Give a person another role',
  description:
    'Ends the person’s sessions; the new role counts everywhere within 5 seconds. A role that allows ' +
    'more waits for a second person, where a person asks for it. The last admin cannot give the role ' +
    'up: `LAST_ADMIN`.',
  mayWait: true,
  body: ChangeStaffRoleBody,
  bodyExample: { role: 'approver' },
  errors: ['STAFF_NOT_FOUND', 'LAST_ADMIN', 'CHANGE_ALREADY_REQUESTED'],
  answer: staffAnswer,
  example: { ...exampleStaff, role: 'approver' },
  input: ({ body, id, caller: by }) => ({
    by,
    role: body.role,
    reason: body.reason ?? null,
    staffId: id('staffId', 'STAFF_NOT_FOUND'),
  }),
  // Gives a person another role and ends its sessions; the same role again changes nothing. A
  // person's request for a role that allows more waits for a second one.
  handle: ({ db, config }: Context, { by, staffId, role, reason }) =>
    db.transaction(async (tx) => {
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
        reason,
      });
    }),
  present: presentStaff,
});

/** Gives a locked person another role, and ends its sessions; what it has begun too where the role allows less. */
export async function setStaffRole(
  tx: Transaction,
  member: StaffMember,
  { by, role, auditDetails = {} }: AuditedBy & { role: OpsScope },
): Promise<StaffMember> {
  const changes = { role, version: member.version + 1 };
  await tx.manager.update(StaffRow, member.id, changes);
  await endSessionsOf(tx, member.id);
  const allowsLess = !includedOpsScopes(role).includes(member.role);
  if (allowsLess) await endOpsAccess(tx, { by, actorId: member.id });
  const details = { before: member.role, after: role, ...auditDetails };
  await recordAudit(tx, { by, action: 'staff.role-changed', objectId: member.id, details });
  return { ...member, ...changes };
}

/**
 * Refuses that a person takes the last admin's rights away: nobody could invite or approve any more. A
 * key of ops may, because it can invite again.
 * @throws AppError LAST_ADMIN
 */
export async function keepOneAdmin(tx: Transaction, by: Caller, staffId: string): Promise<void> {
  if (by.staff === undefined) return;
  const admins = await lockAdmins(tx);
  if (admins.length === 1 && admins[0] === staffId) throw new AppError('LAST_ADMIN');
}

/**
 * Locks all people who may administer, in one order, so that two who lose that right at the same
 * time follow each other. @returns their ids
 */
async function lockAdmins(tx: Db): Promise<string[]> {
  const admins = await tx.manager.find(StaffRow, {
    where: { role: 'admin', disabledAt: IsNull() },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  return admins.map(({ id }) => id);
}

/**
 * Whether this caller's change of the staff waits for a second person. A key acts at once while
 * nobody has signed in yet: nobody could approve.
 */
export async function staffNeedsSecondPerson(db: Db, mode: FourEyes, by: Caller): Promise<boolean> {
  if (!needsSecondPerson(mode, by)) return false;
  return by.staff !== undefined || hasSignedInStaff(db);
}

/** Whether anybody has ever signed in. */
function hasSignedInStaff(db: Db): Promise<boolean> {
  return db.manager.exists(StaffSessionRow);
}
