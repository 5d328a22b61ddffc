import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { AccountsConfig } from '../config';
import { recordAudit } from '../db/audit-log.repository';
import type { ChangeRequest } from '../db/change-requests.repository';
import {
  lockOrInsertStaffMember,
  replaceInvitation,
  type StaffMember,
} from '../db/staff.repository';
import { newSecretToken } from '../domain/secret-token';
import { INVITATION_LIFE_MS } from '../domain/staff-session';

/** Whom to invite. */
export type InvitedPerson = Pick<StaffMember, 'email' | 'name' | 'role'>;

export interface NewInvitation {
  member: StaffMember;
  /** Shown once; only its hash is kept. */
  invitationLink: string;
}

interface Invitation {
  by: Caller;
  person: InvitedPerson;
  /** What a second person approved: a new person, or one in this version. */
  approved?: Pick<ChangeRequest, 'targetId' | 'targetVersion'>;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/**
 * Makes a one-use link for a person, who is added where there is none with that e-mail address. The
 * earlier links are void, and whoever was disabled may come back.
 * @returns undefined when the person is not as it was when the invitation was approved
 * @throws AppError STAFF_ALREADY_EXISTS when this person has another name or role
 */
export async function addInvitation(
  tx: Transaction,
  { CONSOLE_URL }: Pick<AccountsConfig, 'CONSOLE_URL'>,
  { by, person, approved, auditDetails = {} }: Invitation,
): Promise<NewInvitation | undefined> {
  const id = newId();
  const member = await lockOrInsertStaffMember(tx, { id, ...person });
  const isNew = member.id === id;
  if (approved !== undefined) {
    const isStale = approved.targetId === null ? !isNew : approved.targetVersion !== member.version;
    if (isStale) return undefined;
  }
  if (member.name !== person.name || member.role !== person.role) {
    throw new AppError('STAFF_ALREADY_EXISTS');
  }

  const { token, tokenHash } = newSecretToken('fiado_invite_');
  const changes = { disabledAt: null, version: member.version + 1 };
  await updateRow(tx, 'staff', member.id, changes);
  await replaceInvitation(tx, {
    id: newId(),
    staffId: member.id,
    tokenHash,
    lifeMs: INVITATION_LIFE_MS,
    heldBy: by.staff === undefined ? null : by.id,
  });
  await recordAudit(tx, {
    by,
    action: 'staff.invited',
    objectId: member.id,
    details: { role: member.role, again: !isNew, ...auditDetails },
  });
  const invitationLink = new URL(`/invitacion/${token}`, CONSOLE_URL).href;
  return { member: { ...member, ...changes }, invitationLink };
}
