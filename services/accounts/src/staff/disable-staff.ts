import { timeOf } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { keepOneAdmin } from './change-staff-role';
import { endOpsAccess } from './end-access';
import { exampleStaff, presentStaff, staffAnswer } from './list-staff';
import { endSessionsOf } from './sessions.sql';
import { cancelInvitations, lockStaffMember } from './staff.sql';
import { StaffRow } from './staff.entity';

export const disableStaffEndpoint = endpoint({
  id: 'disableStaff',
  as: 'staff.disable',
  tag: 'Ops: staff',
  route: 'POST /v1/admin/staff/:staffId/disable',
  scope: 'admin',
  summary: 'End a person’s access',
  description:
    'Ends the person’s sessions everywhere within 5 seconds, its open invitations, the links that it collected or made, ' +
    'and what it asked for and nobody has made. The last admin ' +
    'is refused (`LAST_ADMIN`), unless a key asks.',
  errors: ['STAFF_NOT_FOUND', 'LAST_ADMIN'],
  answer: staffAnswer,
  example: { ...exampleStaff, disabledAt: '2026-11-22T17:00:00.000Z' },
  input: ({ id, caller: by }) => ({ by, staffId: id('staffId', 'STAFF_NOT_FOUND') }),
  // Ends a person's access: its sessions and its open invitations. A new invitation gives it back.
  // One person is enough, so that a stolen account is shut at once.
  handle: ({ db }: Context, { by, staffId }) =>
    db.transaction(async (tx) => {
      await keepOneAdmin(tx, by, staffId);
      const member = await lockStaffMember(tx, staffId);
      if (member === undefined) throw new AppError('STAFF_NOT_FOUND');
      if (member.disabledAt !== null) return member;
      const disabledAt = await timeOf(tx);
      const changes = { disabledAt, version: member.version + 1 };
      await tx.manager.update(StaffRow, staffId, changes);
      await cancelInvitations(tx, staffId);
      await endSessionsOf(tx, staffId);
      await endOpsAccess(tx, { by, actorId: staffId });
      await recordAudit(tx, { by, action: 'staff.disabled', objectId: staffId });
      return { ...member, ...changes };
    }),
  present: presentStaff,
});
