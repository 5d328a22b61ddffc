import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { PendingChange } from '@fiado/contracts/change-requests';
import type { OpsScope } from '@fiado/contracts/caller';
import { pendingChangeOf } from '../approvals/change-requests.sql';

/** One of the lender's people. */
export interface StaffMember {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  role: OpsScope;
  disabledAt: Date | null;
  createdAt: Date;
  /** How many passkeys open the account. */
  passkeys: number;
  lastSignInAt: Date | null;
  /** Raised by each change of the person, its access or its passkey. */
  version: number;
  pendingChange: PendingChange | null;
}

const STAFF_MEMBER = `s.id, s.email, s.name, s.role, s.disabled_at, s.created_at, s.version,
  ${pendingChangeOf('s.id', ['staff.invite', 'staff.role'])},
  (SELECT count(*)::int FROM staff_credentials c WHERE c.staff_id = s.id) AS passkeys,
  (SELECT max(created_at) FROM staff_sessions e WHERE e.staff_id = s.id) AS last_sign_in_at`;

/** All staff, newest first: ids are in the order of their time. */
export function findStaff(
  db: Db,
  cursor: string | undefined,
  limit: number,
): Promise<StaffMember[]> {
  return query<StaffMember>(
    db,
    `SELECT ${STAFF_MEMBER} FROM staff s
      WHERE $1::uuid IS NULL OR s.id < $1 ORDER BY s.id DESC LIMIT $2`,
    [cursor ?? null, limit],
  );
}

export async function findStaffMember(db: Db, staffId: string): Promise<StaffMember | undefined> {
  const [member] = await query<StaffMember>(
    db,
    `SELECT ${STAFF_MEMBER} FROM staff s WHERE s.id = $1`,
    [staffId],
  );
  return member;
}

/** The same, locked, so that a role, an invitation and a sign-in follow each other. */
export async function lockStaffMember(tx: Db, staffId: string): Promise<StaffMember | undefined> {
  await query(tx, 'SELECT FROM staff WHERE id = $1 FOR UPDATE', [staffId]);
  return findStaffMember(tx, staffId);
}

/** The staff member with that e-mail address, which is made with this id where there is none. */
export async function lockOrInsertStaffMember(
  tx: Db,
  member: Pick<StaffMember, 'id' | 'email' | 'name' | 'role'>,
): Promise<StaffMember> {
  await query(
    tx,
    `INSERT INTO staff (id, email, name, role) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING`,
    [member.id, member.email, member.name, member.role],
  );
  const [row] = await query<StaffMember>(
    tx,
    `SELECT ${STAFF_MEMBER} FROM staff s WHERE s.email = $1 FOR UPDATE OF s`,
    [member.email],
  );
  if (row === undefined) throw new Error('The staff member that was inserted is gone');
  return row;
}

/** The staff member with that e-mail address, locked. */
export async function lockStaffMemberOfEmail(
  tx: Db,
  email: string,
): Promise<StaffMember | undefined> {
  const [row] = await query<{ id: string }>(tx, 'SELECT id FROM staff WHERE email = $1', [email]);
  return row && lockStaffMember(tx, row.id);
}

/**
 * Locks all people who may administer, in one order, so that two who lose that right at the same
 * time follow each other. @returns their ids
 */
export async function lockAdmins(tx: Db): Promise<string[]> {
  const admins = await query<{ id: string }>(
    tx,
    `SELECT id FROM staff WHERE role = 'admin' AND disabled_at IS NULL ORDER BY id FOR UPDATE`,
  );
  return admins.map(({ id }) => id);
}

/** Whether anybody has ever signed in. */
export async function hasSignedInStaff(db: Db): Promise<boolean> {
  return (await query(db, 'SELECT FROM staff_sessions LIMIT 1')).length > 0;
}

/**
 * Whether one of two people came in by a link that the other one held: they may be one person.
 * @param ids of people or keys
 */
export async function isAdmittedByOther(db: Db, one: string, other: string): Promise<boolean> {
  const found = await query(
    db,
    `SELECT FROM staff WHERE (id::text, admitted_by) IN (($1, $2), ($2, $1)) LIMIT 1`,
    [one, other],
  );
  return found.length > 0;
}

/**
 * Cancels the open invitations of a person and makes a new one.
 * @param invitation heldBy: the person who is shown its link; null for a key
 */
export async function replaceInvitation(
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

/** No link that was made for this person opens anything any more. */
export async function cancelInvitations(tx: Db, staffId: string): Promise<void> {
  await query(
    tx,
    'UPDATE staff_invitations SET used_at = now() WHERE staff_id = $1 AND used_at IS NULL',
    [staffId],
  );
}

/** Whom an open invitation is for. */
export async function findInvited(db: Db, tokenHash: Buffer): Promise<StaffMember | undefined> {
  const [member] = await query<StaffMember>(
    db,
    `SELECT ${STAFF_MEMBER} FROM staff_invitations i JOIN staff s ON s.id = i.staff_id
      WHERE i.token_hash = $1 AND i.used_at IS NULL AND i.expires_at > now()
        AND s.disabled_at IS NULL`,
    [tokenHash],
  );
  return member;
}

/**
 * Uses an invitation up, in one statement, so that only one of two callers gets it, and notes who
 * held its link. The person is locked first, as where it is invited.
 */
export async function useInvitation(tx: Db, tokenHash: Buffer): Promise<string | undefined> {
  const [used] = await query<{ staffId: string }>(
    tx,
    `WITH invited AS (
       SELECT s.id FROM staff_invitations i JOIN staff s ON s.id = i.staff_id
        WHERE i.token_hash = $1 AND s.disabled_at IS NULL FOR UPDATE OF s
     ), used AS (
       UPDATE staff_invitations i SET used_at = now() FROM invited
        WHERE i.token_hash = $1 AND i.used_at IS NULL AND i.expires_at > now()
          AND i.staff_id = invited.id
       RETURNING i.staff_id, i.held_by
     )
     UPDATE staff s SET admitted_by = used.held_by, version = s.version + 1
       FROM used WHERE s.id = used.staff_id
     RETURNING s.id AS staff_id`,
    [tokenHash],
  );
  return used?.staffId;
}
