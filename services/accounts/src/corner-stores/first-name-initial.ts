import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import {
  type FirstNameInitialAnswer,
  firstNameInitialCall,
  type FirstNameInitialQuestion,
} from '@fiado/contracts/corner-store';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { UserRow } from './user.entity';

export const firstNameInitialEndpoint = internalEndpoint({
  call: firstNameInitialCall,
  allow: ['service:payments'],
  handle: firstNameInitial,
});

/** The only part of a name that a payment provider gets. */
async function firstNameInitial(
  { db, sealer }: Context,
  { userId }: FirstNameInitialQuestion,
): Promise<FirstNameInitialAnswer> {
  const user = await db.manager.findOne(UserRow, {
    where: { id: userId },
    select: { id: true, firstName: true },
  });
  if (user === null || user.firstName === null) return { firstNameInitial: null };
  // NFC: a letter and its accent as one character.
  const firstName = sealer.open(user.firstName, PURPOSE.firstName, userId).trim().normalize('NFC');
  return { firstNameInitial: (Array.from(firstName)[0] ?? '').toUpperCase() };
}
