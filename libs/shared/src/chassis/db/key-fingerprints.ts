import { createHmac } from 'node:crypto';
import type { Database } from './database';
import { keepFingerprint } from './keep-fingerprint';

/**
 * Detects at start that a secret differs from the one that this schema's data was written with,
 * before anything is sealed with the wrong one. The first start stores the fingerprints.
 * @param secrets variable name to its value; only a keyed fingerprint of it is kept
 * @throws Error naming the variables that differ, never their values
 */
export async function checkKeyFingerprints(
  db: Database,
  secrets: Record<string, string>,
): Promise<void> {
  const differing: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    const fingerprint = createHmac('sha256', secret)
      .update(`fiado ${name}`)
      .digest('hex')
      .slice(0, 16);
    if ((await keepFingerprint(db, name, fingerprint)) !== fingerprint) differing.push(name);
  }
  if (differing.length > 0) {
    throw new Error(`${differing.join(', ')}: not the secret that this database was written with`);
  }
}
