import { BATCH_BODY_LIMIT, BATCH_MAX_VALUES } from '@fiado/contracts/body-limits';
import type { ErasurePhase } from '@fiado/contracts/jobs/privacy';
import { type LeftoversAnswer, leftoversCall } from '@fiado/contracts/personal-data';
import type { Transaction } from '../db/database';
import { findLeftovers } from '../db/erase-person';
import type { Person } from '../db/personal-data';
import { internalEndpoint } from '../http/endpoint';
import type { Foundation } from '../service';
import { type ErasurePart, personOf, withObjects } from './erase-part';

/** The data that a service may still keep of a person. */
type Kept = Pick<ErasurePart, 'data' | 'objects'>;

/** The endpoint of a service that accounts asks what an erasure has left of a person. */
export function leftoversEndpoint(kept: Kept) {
  return internalEndpoint({
    call: leftoversCall,
    allow: ['service:accounts'],
    bodyLimit: BATCH_BODY_LIMIT,
    maxValues: BATCH_MAX_VALUES,
    handle: ({ db }: Pick<Foundation, 'db'>, { phase, ...keys }) =>
      db.snapshot((tx) => leftoversOf(tx, kept, personOf(keys), phase)),
  });
}

/** Counts what a phase should have erased, with the ids that the service itself knows of the person. */
export async function leftoversOf(
  tx: Transaction,
  kept: Kept,
  person: Person,
  phase: ErasurePhase,
): Promise<LeftoversAnswer> {
  const { known, objectIds } = await withObjects(tx, kept, person);
  return { left: await findLeftovers(tx, kept.data, known, phase), objectIds };
}
