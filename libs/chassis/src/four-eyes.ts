import { IsIn } from 'class-validator';
import type { Caller } from '@fiado/contracts/caller';

const MODES = ['off', 'staff', 'all'] as const;

/** Whose guarded changes wait for a second person: nobody's, those of people, or those of keys too. */
export type FourEyes = (typeof MODES)[number];

export function IsFourEyes(): PropertyDecorator {
  return IsIn(MODES);
}

/** Whether a guarded change of this caller waits for a second person. */
export function needsSecondPerson(mode: FourEyes, by: Caller): boolean {
  return mode === 'all' || (mode === 'staff' && by.staff !== undefined);
}
