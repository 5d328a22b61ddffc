import type { Transaction } from '@fiado/chassis/db/database';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { lockAdmins } from '../db/staff.repository';

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
