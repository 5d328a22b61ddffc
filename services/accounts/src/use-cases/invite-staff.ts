import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { OpsScope } from '@fiado/contracts/scopes';
import type { Context } from '../context';
import { lockStaffMemberOfEmail } from '../db/staff.repository';
import { addInvitation, type NewInvitation } from '../steps/add-invitation';
import { requestChange } from '../steps/request-change';
import { staffNeedsSecondPerson } from '../steps/staff-needs-second-person';

/**
 * A one-use link, valid for 24 hours, with which a person makes a passkey. Inviting somebody again
 * makes the earlier links void; whoever was disabled may come back. A person's request waits for a
 * second one: the link opens an account, a new one or another's.
 * @throws AppError STAFF_ALREADY_EXISTS when this person has another name or role
 * @throws AppError CHANGE_ALREADY_REQUESTED when another invitation of this person waits
 */
export function inviteStaff(
  { db, config }: Context,
  { by, email, name, role }: { by: Caller; email: string; name: string; role: OpsScope },
): Promise<NewInvitation | ChangeRequested> {
  const person = { email: email.toLowerCase(), name, role };
  return db.transaction(async (tx) => {
    if (!(await staffNeedsSecondPerson(tx, config.FOUR_EYES, by))) {
      const added = await addInvitation(tx, config, { by, person });
      if (added === undefined) throw new Error('An invitation without approval cannot be stale');
      return added;
    }
    const known = await lockStaffMemberOfEmail(tx, person.email);
    if (known !== undefined && (known.name !== name || known.role !== role)) {
      throw new AppError('STAFF_ALREADY_EXISTS');
    }
    return requestChange(tx, {
      by,
      kind: 'staff.invite',
      targetId: known?.id ?? null,
      targetVersion: known?.version ?? null,
      payload: person,
      before: known === undefined ? {} : { passkeys: known.passkeys, disabledAt: known.disabledAt },
      reason: null,
      audited: { role },
    });
  });
}
