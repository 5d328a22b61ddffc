import { verify } from '../../e2e/support/month';
import type { System } from '../../e2e/support/system';
import type { ChaosDatabase } from './database';
import { JOBS } from './settle';

/** The findings of `fiado verify`. */
export async function checkSums(system: System): Promise<string[]> {
  const { broken } = await verify(system);
  return broken.map(
    ({ service, name, violations }) =>
      `${service}: ${name} does not hold: ${JSON.stringify(violations)}`,
  );
}

/** No job was given up, in any service. */
export async function checkDeadLetters(database: ChaosDatabase): Promise<string[]> {
  const rows = await database.query<{ what: string }>(
    `SELECT type || ' ' || id || ' is dead: ' || dead_reason AS what
       FROM ${JOBS} WHERE dead_at IS NOT NULL`,
  );
  return rows.map(({ what }) => what);
}
