import { needsSecondPerson, type FourEyes } from '@fiado/chassis/four-eyes';
import type { Db } from '@fiado/chassis/db/database';
import type { Caller } from '@fiado/contracts/caller';
import { hasSignedInStaff } from '../db/staff.repository';

/**
 * Whether this caller's change of the staff waits for a second person. A key acts at once while
 * nobody has signed in yet: nobody could approve.
 */
export async function staffNeedsSecondPerson(db: Db, mode: FourEyes, by: Caller): Promise<boolean> {
  if (!needsSecondPerson(mode, by)) return false;
  return by.staff !== undefined || hasSignedInStaff(db);
}
