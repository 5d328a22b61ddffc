import { createHmac } from 'node:crypto';
import type { Database } from './database';
import { query, queryOne } from './query';

/** A secret, and the one before or after it while it is exchanged. */
export interface Secret {
  current: string;
  previous?: string | undefined;
}

/**
 * Detects at start that a secret differs from the one that this schema's data was written with,
 * before anything is written with the wrong one. The first start stores the fingerprints; a start
 * with a new secret, and the stored one as the previous, replaces them.
 * @param secrets by the names of their variables; only a keyed fingerprint of each is kept
 * @throws Error naming the variables that differ, never their values
 */
export async function checkKeyFingerprints(
  db: Database,
  secrets: Record<string, Secret>,
): Promise<void> {
  for (const [name, secret] of Object.entries(secrets)) {
    if ((await originalSecret(db, name, secret)) === secret.current) continue;
    await query(db, 'UPDATE key_fingerprints SET fingerprint = $2 WHERE name = $1', [
      name,
      fingerprintOf(name, secret.current),
    ]);
  }
}

/**
 * The secret whose fingerprint this schema has: the current one at the first start.
 * @throws Error naming the variable when it is neither
 */
export async function originalSecret(
  db: Database,
  name: string,
  { current, previous }: Secret,
): Promise<string> {
  const fingerprint = await keepFingerprint(db, name, fingerprintOf(name, current));
  const original = [current, previous].find(
    (secret) => secret !== undefined && fingerprintOf(name, secret) === fingerprint,
  );
  if (original === undefined) {
    throw new Error(`${name}: not the secret that this database was written with`);
  }
  return original;
}

function fingerprintOf(name: string, secret: string): string {
  return createHmac('sha256', secret).update(`fiado ${name}`).digest('hex').slice(0, 16);
}

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
