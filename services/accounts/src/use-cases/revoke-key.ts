import { query } from '@fiado/chassis/db/query';
import { rowExists } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';

const KEYS = {
  api: { table: 'api_keys', action: 'api-key.revoked', notFound: 'API_KEY_NOT_FOUND' },
  ops: { table: 'ops_keys', action: 'ops-key.revoked', notFound: 'OPS_KEY_NOT_FOUND' },
} as const;

/**
 * Ends a key for good, an ops key with its access tokens; revoking it again changes nothing.
 * @throws AppError API_KEY_NOT_FOUND, OPS_KEY_NOT_FOUND
 */
export async function revokeKey(
  { db }: Context,
  { by, kind, id }: { by: Caller; kind: keyof typeof KEYS; id: string },
): Promise<void> {
  const { table, action, notFound } = KEYS[kind];
  await db.transaction(async (tx) => {
    const revoked = await query(
      tx,
      `UPDATE ${table} SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
      [id],
    );
    if (revoked.length === 1) await recordAudit(tx, { by, action, objectId: id });
    else if (!(await rowExists(tx, table, id))) throw new AppError(notFound);
  });
}
