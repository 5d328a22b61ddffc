import type { Database } from './database';
import { query, queryOne } from './query';

/**
 * Stores what identifies a thing that the data of a schema belongs to, unless one is stored.
 * @param name of the thing
 * @returns the stored one, which the first start has written
 */
export async function keepFingerprint(
  db: Database,
  name: string,
  fingerprint: string,
): Promise<string> {
  await query(
    db,
    'INSERT INTO key_fingerprints (name, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [name, fingerprint],
  );
  // A statement of its own sees the row of an instance that starts at the same time.
  const stored = await queryOne<{ fingerprint: string }>(
    db,
    'SELECT fingerprint FROM key_fingerprints WHERE name = $1',
    [name],
  );
  return stored.fingerprint;
}
