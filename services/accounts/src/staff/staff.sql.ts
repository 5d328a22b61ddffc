import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { pendingChangeOf } from '../approvals/change-requests.sql';
import { IsNull } from '@fiado/chassis/db/typeorm';
import { StaffInvitationRow } from './staff-invitation.entity';
import type { StaffRow } from './staff.entity';

/** One of the lender's people. */
export interface StaffMember extends Pick<
  StaffRow,
  'id' | 'name' | 'role' | 'disabledAt' | 'createdAt'
> {
  /** In lower case. */
  email: StaffRow['email'];
  /** How many passkeys open the account. */
  passkeys: number;
  lastSignInAt: Date | null;
  /** Raised by each change of the person, its access or its passkey. */
  version: StaffRow['version'];
  pendingChange: PendingChange | null;
}

export const STAFF_MEMBER = `s.id, s.email, s.name, s.role, s.disabled_at, s.created_at, s.version,
  ${pendingChangeOf('s.id', ['staff.invite', 'staff.role'])},
  (SELECT count(*)::int FROM staff_credentials c WHERE c.staff_id = s.id) AS passkeys,
  (SELECT max(created_at) FROM staff_sessions e WHERE e.staff_id = s.id) AS last_sign_in_at`;

export function findStaffMember(db: Db, staffId: string): Promise<StaffMember | undefined> {
  return queryRow<StaffMember>(db, `SELECT ${STAFF_MEMBER} FROM staff s WHERE s.id = $1`, [
    staffId,
  ]);
}

/** The same, locked, so that a role, an invitation and a sign-in follow each other. */
export async function lockStaffMember(tx: Db, staffId: string): Promise<StaffMember | undefined> {
  await query(tx, 'SELECT FROM staff WHERE id = $1 FOR UPDATE', [staffId]);
  return findStaffMember(tx, staffId);
}

/** No link that was made for this person opens anything any more. */
export async function cancelInvitations(tx: Db, staffId: string): Promise<void> {
  const open = { staffId, usedAt: IsNull() };
  await tx.manager.update(StaffInvitationRow, open, { usedAt: () => 'now()' });
}
