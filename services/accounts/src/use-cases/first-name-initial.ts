import type {
  FirstNameInitialAnswer,
  FirstNameInitialQuestion,
} from '@fiado/shared/contracts/first-name-initial';
import type { Context } from '../context';
import { findFirstName } from '../db/users.repository';
import { PURPOSE } from '../domain/sealing-purposes';

/** The only part of a name that another service gets. */
export async function firstNameInitial(
  { db, sealer }: Context,
  { userId }: FirstNameInitialQuestion,
): Promise<FirstNameInitialAnswer> {
  const sealed = await findFirstName(db, userId);
  if (sealed === undefined) return { firstNameInitial: null };
  // NFC: a letter and its accent as one character.
  const firstName = sealer.open(sealed, PURPOSE.firstName, userId).trim().normalize('NFC');
  return { firstNameInitial: (Array.from(firstName)[0] ?? '').toUpperCase() };
}
