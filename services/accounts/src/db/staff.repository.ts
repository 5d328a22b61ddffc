import type { Db } from '@fiado/shared/chassis/db/database';
import { query } from '@fiado/shared/chassis/db/query';
import type { OpsScope } from '@fiado/shared/contracts/scopes';

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
}

const STAFF_MEMBER = `s.id, s.email, s.name, s.role, s.disabled_at, s.created_at,
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

/** Cancels the open invitations of a person and makes a new one. */
export async function replaceInvitation(
  tx: Db,
  invitation: { id: string; staffId: string; tokenHash: Buffer; lifeMs: number },
): Promise<void> {
  await cancelInvitations(tx, invitation.staffId);
  await query(
    tx,
    `INSERT INTO staff_invitations (id, staff_id, token_hash, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4::float / 1000))`,
    [invitation.id, invitation.staffId, invitation.tokenHash, invitation.lifeMs],
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

/** Uses an invitation up, in one statement, so that only one of two callers gets it. */
export async function useInvitation(tx: Db, tokenHash: Buffer): Promise<string | undefined> {
  const [used] = await query<{ staffId: string }>(
    tx,
    `UPDATE staff_invitations i SET used_at = now() FROM staff s
      WHERE i.token_hash = $1 AND i.used_at IS NULL AND i.expires_at > now()
        AND s.id = i.staff_id AND s.disabled_at IS NULL
     RETURNING i.staff_id`,
    [tokenHash],
  );
  return used?.staffId;
}
