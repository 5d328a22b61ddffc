import { randomBytes } from 'node:crypto';
import { queryRow } from '@fiado/chassis/db/query';
import { readDataKeys } from '@fiado/chassis/keys/data-key-rows';
import type { Caller } from '@fiado/contracts/caller';
import { MAX_DATA_KEYS } from '@fiado/contracts/data-keys';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';

/** Of AES-256. */
const KEY_BYTES = 32;

/**
 * Makes a data key, unless the newest does not seal yet. Values are sealed with it once all processes of
 * all services open it.
 * @returns the number of the newest key
 * @throws AppError TOO_MANY_DATA_KEYS
 */
export function rotateDataKey(
  { db, dataKeys }: Context,
  { by }: { by: Caller },
): Promise<{ number: number }> {
  return db.transaction(async (tx) => {
    const keys = (await readDataKeys(tx)).filter(({ kind }) => kind === 'seal');
    const newest = keys.at(-1);
    if (newest === undefined) throw new Error('There is no data key');
    if (!newest.isSealing) return { number: newest.number };
    if (keys.filter(({ wrapped }) => wrapped !== null).length >= MAX_DATA_KEYS) {
      throw new AppError('TOO_MANY_DATA_KEYS');
    }
    const key = { kind: 'seal' as const, number: newest.number + 1 };
    const wrapped = dataKeys.wrapping.wrap({ ...key, secret: randomBytes(KEY_BYTES) });
    // Another request may have made it meanwhile.
    const made = await queryRow<{ number: number }>(
      tx,
      `INSERT INTO data_keys (kind, number, wrapped) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING number`,
      [key.kind, key.number, wrapped],
    );
    if (made === undefined) return { number: key.number };
    await recordAudit(tx, { by, action: 'data-key.rotated', objectId: null, details: made });
    return made;
  });
}
