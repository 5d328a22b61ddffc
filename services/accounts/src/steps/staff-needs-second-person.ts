import { needsSecondPerson, type FourEyes } from '@fiado/shared/chassis/four-eyes';
import type { Db } from '@fiado/shared/chassis/db/database';
import type { Caller } from '@fiado/shared/contracts/caller';
import { hasSignedInStaff } from '../db/staff.repository';

/**
 * Whether this caller's change of the staff waits for a second person. A key acts at once while
 * nobody has signed in yet: nobody could approve.
 */
export async function staffNeedsSecondPerson(db: Db, mode: FourEyes, by: Caller): Promise<boolean> {
  if (!needsSecondPerson(mode, by)) return false;
  return by.staff !== undefined || hasSignedInStaff(db);
}
