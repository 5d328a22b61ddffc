import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

/** A passkey: its public part. */
export interface StaffCredential {
  /** As the authenticator named it, in base64url. */
  id: string;
  staffId: string;
  publicKey: Buffer;
  /** Of signatures, where the authenticator counts them; otherwise 0. */
  counter: number;
}

/** The passkey with that id, of a person who may sign in. */
export async function findCredential(db: Db, id: string): Promise<StaffCredential | undefined> {
  const [credential] = await query<StaffCredential>(
    db,
    `SELECT c.id, c.staff_id, c.public_key, c.counter
       FROM staff_credentials c JOIN staff s ON s.id = c.staff_id
      WHERE c.id = $1 AND s.disabled_at IS NULL`,
    [id],
  );
  return credential;
}

/** Makes this the person's only passkey: an invitation is also how a lost one is replaced. */
export async function replaceCredentials(tx: Db, credential: StaffCredential): Promise<boolean> {
  await query(tx, 'DELETE FROM staff_credentials WHERE staff_id = $1', [credential.staffId]);
  const inserted = await query(
    tx,
    `INSERT INTO staff_credentials (id, staff_id, public_key, counter) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [credential.id, credential.staffId, credential.publicKey, credential.counter],
  );
  return inserted.length === 1;
}

/**
 * Notes a signature. @returns false when the passkey is gone, or another signature with this count
 * was accepted meanwhile
 */
export async function noteSignature(tx: Db, id: string, counter: number): Promise<boolean> {
  const noted = await query(
    tx,
    `UPDATE staff_credentials SET counter = $2, last_used_at = now()
      WHERE id = $1 AND (counter < $2 OR $2 = 0) RETURNING id`,
    [id, counter],
  );
  return noted.length === 1;
}
