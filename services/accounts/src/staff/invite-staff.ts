import { IsEmail, IsIn } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { type Caller, type OpsScope, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import type { ChangeRequest } from '../approvals/change-requests.sql';
import { requestChange } from '../approvals/request-change';
import { recordAudit } from '../audit/audit-log';
import type { AccountsConfig } from '../config';
import type { Context } from '../context';
import { newSecretToken } from '../keys/secrets';
import { exampleStaff, presentStaff, staffFields } from './list-staff';
import { HAS_COME_IN, hasEnoughRoots, HOST, rootOf, rootsOf } from './roots.sql';
import { cancelInvitations, lockStaffMember, STAFF_MEMBER, type StaffMember } from './staff.sql';
import { StaffRow } from './staff.entity';
import { StaffInvitationRow } from './staff-invitation.entity';

const MAX_NAME = 100;

@DescribedAs(staffFields)
class InviteStaffBody extends AskedReasonBody {
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
  as: 'staff.invite',
  once: true,
  shownOnce: ['invitationLink'],
  tag: 'Ops: staff',
  route: 'POST /v1/admin/staff',
  scope: 'admin',
  summary: 'Invite a person to the console',
  description:
    'The link is shown once, works once and for 24 hours. It enrols a passkey, which replaces an ' +
    'earlier one. Inviting somebody again, with the same name and role, makes the earlier links void ' +
    'and enables a disabled person. It waits for a second person, also for a key; whoever approves ' +
    'collects the link. Only OPS_API_KEY invites at once, until two people are known to be two.',
  body: InviteStaffBody,
  bodyExample: { email: 'ana@lender.example', name: 'Ana Torres', role: 'operator' },
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
  },
  input: ({ body: { email, name, role, reason = null }, caller: by }) => ({
    by,
    email,
    name,
    role,
    reason,
  }),
  // A one-use link, valid for 24 hours, with which a person makes a passkey. Inviting somebody
  // again makes the earlier links void; whoever was disabled may come back. It waits for a second
  // person, also for a key: the link opens an account, a new one or another's.
  handle: ({ db, config }: Context, { by, email, name, role, reason }) => {
    const person = { email: email.toLowerCase(), name, role };
    return db.transaction(async (tx) => {
      if (!(await invitationWaits(tx, config, by))) {
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
        reason,
      });
    });
  },
  present: ({ member, invitationLink }) => ({ ...presentStaff(member), invitationLink }),
});

/**
 * Whether an invitation waits for a second person. The host invites the founders at once: until it is
 * known of two people that they are two, and in a sandbox always. With FOUR_EYES=all it does not where
 * people of before there were roots could approve.
 */
async function invitationWaits(
  db: Db,
  { FOUR_EYES, FIADO_MODE }: Pick<AccountsConfig, 'FOUR_EYES' | 'FIADO_MODE'>,
  by: Caller,
): Promise<boolean> {
  if (FOUR_EYES === 'off') return false;
  if (by.id !== HOST) return true;
  if (FOUR_EYES === 'all' && (await hasPeopleWithoutRoot(db))) return true;
  return FIADO_MODE !== 'sandbox' && hasEnoughRoots(db);
}

/** Whether somebody came in before there were roots. */
async function hasPeopleWithoutRoot(db: Db): Promise<boolean> {
  const people = `SELECT FROM staff s WHERE root_id IS NULL AND ${HAS_COME_IN} LIMIT 1`;
  return (await query(db, people)).length > 0;
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
  /** The change that a second person approved: a new person, or a person in this version. */
  approved?: Pick<ChangeRequest, 'targetId' | 'targetVersion' | 'requestedBy' | 'decidedBy'>;
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
  await tx.manager.update(StaffRow, member.id, changes);
  await replaceInvitation(tx, {
    id: newId(),
    staffId: member.id,
    tokenHash,
    lifeMs: INVITATION_LIFE_MS,
    heldBy: by.id === HOST ? null : by.id,
    rootId: await rootOfLink(tx, member.id, by, approved),
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

/**
 * The root that the link gives to a person without one. The person becomes a new root when one root asked for
 * the invitation and another hands over the link, or when the host alone let the person in. It is unknown who holds
 * the key of the host: a person that the host invited gets the root of the approver.
 * @returns null where a root is not known
 */
async function rootOfLink(
  tx: Db,
  staffId: string,
  by: Caller,
  approved: Invitation['approved'],
): Promise<string | null> {
  if (approved === undefined) {
    if (by.id === HOST) return staffId;
    const root = await rootOf(tx, by.id);
    return root === HOST ? null : root;
  }
  const { one, other } = await rootsOf(tx, approved.requestedBy, approved.decidedBy ?? '');
  if (one === null || other === null) return null;
  return one === HOST ? other : staffId;
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
  const known = await tx.manager.findOneBy(StaffRow, { email });
  return known === null ? undefined : lockStaffMember(tx, known.id);
}

/**
 * Cancels the open invitations of a person and makes a new one.
 * @param invitation heldBy: who is shown its link; null for the host
 */
async function replaceInvitation(
  tx: Db,
  invitation: {
    id: string;
    staffId: string;
    tokenHash: Buffer;
    lifeMs: number;
    heldBy: string | null;
    rootId: string | null;
  },
): Promise<void> {
  const { lifeMs, ...row } = invitation;
  await cancelInvitations(tx, row.staffId);
  await tx.manager.insert(StaffInvitationRow, {
    ...row,
    expiresAt: () => `now() + make_interval(secs => ${lifeMs / 1000})`,
  });
}
