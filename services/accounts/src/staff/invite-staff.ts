import { IsEmail, IsIn } from 'class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { openChange } from '@fiado/chassis/four-eyes';
import * as t from '@fiado/chassis/openapi/json-schema';
import { type Caller, type OpsScope, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { ChangeRequest } from '../approvals/change-requests.sql';
import { requestChange } from '../approvals/request-change';
import { recordAudit } from '../audit/audit-log';
import type { AccountsConfig } from '../config';
import type { Context } from '../context';
import { newSecretToken } from '../keys/secrets';
import { staffNeedsSecondPerson } from './change-staff-role';
import { exampleStaff, presentStaff, staffFields } from './list-staff';
import {
  lockOrInsertStaffMember,
  lockStaffMemberOfEmail,
  replaceInvitation,
  type StaffMember,
} from './staff.sql';

/** Life of an invitation: a day to open it. */
const INVITATION_LIFE_MS = 24 * 60 * 60_000;

const MAX_NAME = 100;

class InviteStaffBody {
  /** Address of the person, which the identity provider knows too. */
  @IsEmail()
  email: string;

  @IsNonEmptyText(MAX_NAME)
  name: string;

  @IsIn(SCOPES_OF_KIND.ops)
  role: OpsScope;
}

export const inviteStaffEndpoint = endpoint({
  id: 'inviteStaff',
  tag: 'Ops: staff',
  route: 'POST /v1/admin/staff',
  scope: 'admin',
  summary: 'Invite a person to the console',
  description:
    'The link is shown once, works once and for 24 hours. It enrols a passkey, which replaces an ' +
    'earlier one. Inviting somebody again, with the same name and role, makes the earlier links void ' +
    'and enables a disabled person. A person’s request waits for a second person; then whoever asked ' +
    'collects the link.',
  body: InviteStaffBody,
  bodyExample: { email: exampleStaff.email, name: exampleStaff.name, role: exampleStaff.role },
  status: 201,
  mayWait: true,
  errors: ['STAFF_ALREADY_EXISTS', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  answer: t.object('InvitedStaff', { ...staffFields, invitationLink: t.uri }),
  example: {
    ...exampleStaff,
    passkeys: 0,
    lastSignInAt: null,
    invitationLink: 'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
  },
  input: ({ body, caller: by }) => ({ by, email: body.email, name: body.name, role: body.role }),
  handle: inviteStaff,
  present: ({ member, invitationLink }) => ({ ...presentStaff(member), invitationLink }),
});

/**
 * A one-use link, valid for 24 hours, with which a person makes a passkey. Inviting somebody again
 * makes the earlier links void; whoever was disabled may come back. A person's request waits for a
 * second one: the link opens an account, a new one or another's.
 * @throws AppError STAFF_ALREADY_EXISTS when this person has another name or role
 * @throws AppError CHANGE_ALREADY_REQUESTED when another invitation of this person waits
 */
function inviteStaff(
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

/** Whom to invite. */
export type InvitedPerson = Pick<StaffMember, 'email' | 'name' | 'role'>;

interface NewInvitation {
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
