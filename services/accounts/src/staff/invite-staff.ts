import { IsEmail, IsIn } from 'class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { updateRow } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { type Caller, type OpsScope, SCOPES_OF_KIND } from '@fiado/contracts/caller';
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
import { cancelInvitations, lockStaffMember, STAFF_MEMBER, type StaffMember } from './staff.sql';

const MAX_NAME = 100;

@DescribedAs(staffFields)
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
  answer: t.object('InvitedStaff', {
    ...staffFields,
    invitationLink: t.field(
      t.uri,
      'Link that enrols a passkey; shown once',
      'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
    ),
  }),
  example: {
    ...exampleStaff,
    passkeys: 0,
    lastSignInAt: null,
    invitationLink: 'https://console.lender.example/invitacion/fiado_invite_4Jm2yGv8mQ0bT7c1',
  },
  input: ({ body, caller: by }) => ({ by, email: body.email, name: body.name, role: body.role }),
  // A one-use link, valid for 24 hours, with which a person makes a passkey. Inviting somebody
  // again makes the earlier links void; whoever was disabled may come back. A person's request
  // waits for a second one: the link opens an account, a new one or another's.
  handle: ({ db, config }: Context, { by, email, name, role }) => {
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
        before:
          known === undefined ? {} : { passkeys: known.passkeys, disabledAt: known.disabledAt },
        audited: { role },
      });
    });
  },
  present: ({ member, invitationLink }) => ({ ...presentStaff(member), invitationLink }),
});

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

/** Life of an invitation: a day to open it. */
const INVITATION_LIFE_MS = 24 * 60 * 60_000;

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

/** The staff member with that e-mail address, which is made with this id where there is none. */
async function lockOrInsertStaffMember(
  tx: Db,
  member: Pick<StaffMember, 'id' | 'email' | 'name' | 'role'>,
): Promise<StaffMember> {
  await query(
    tx,
    `INSERT INTO staff (id, email, name, role) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING`,
    [member.id, member.email, member.name, member.role],
  );
  return queryOne<StaffMember>(
    tx,
    `SELECT ${STAFF_MEMBER} FROM staff s WHERE s.email = $1 FOR UPDATE OF s`,
    [member.email],
  );
}

/** The staff member with that e-mail address, locked. */
async function lockStaffMemberOfEmail(tx: Db, email: string): Promise<StaffMember | undefined> {
  const [row] = await query<{ id: string }>(tx, 'SELECT id FROM staff WHERE email = $1', [email]);
  return row && lockStaffMember(tx, row.id);
}

/**
 * Cancels the open invitations of a person and makes a new one.
 * @param invitation heldBy: the person who is shown its link; null for a key
 */
async function replaceInvitation(
  tx: Db,
  invitation: {
    id: string;
    staffId: string;
    tokenHash: Buffer;
    lifeMs: number;
    heldBy: string | null;
  },
): Promise<void> {
  await cancelInvitations(tx, invitation.staffId);
  await query(
    tx,
    `INSERT INTO staff_invitations (id, staff_id, token_hash, expires_at, held_by)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4::float / 1000), $5)`,
    [invitation.id, invitation.staffId, invitation.tokenHash, invitation.lifeMs, invitation.heldBy],
  );
}
