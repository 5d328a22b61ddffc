import { query } from '@fiado/chassis/db/query';
import { readDataKeys } from '@fiado/chassis/keys/data-key-rows';
import type { Caller } from '@fiado/contracts/caller';
import type { SealingStatus } from '@fiado/contracts/data-keys';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { askSealing } from '../steps/ask-sealing';

/**
 * How long after a newer key seals an older one is still needed, in days: a job is executed for 28 days
 * (ADR 21) and a kept answer is replayed for one.
 */
const SEALED_JOB_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Deletes a data key: nothing that it sealed can be opened any more.
 * @throws AppError DATA_KEY_NOT_FOUND, DATA_KEY_IN_USE while a value may need it,
 *   SERVICE_UNAVAILABLE when a service does not answer
 */
export async function retireDataKey(
  context: Context,
  { by, number }: { by: Caller; number: number },
): Promise<void> {
  const { db, clock, dataKeys } = context;
  const known = (await readDataKeys(db)).some(
    (key) => key.kind === 'seal' && key.number === number && key.wrapped !== null,
  );
  if (!known) throw new AppError('DATA_KEY_NOT_FOUND');
  const before = clock.now().getTime() - SEALED_JOB_DAYS * DAY_MS;
  const isFree = ({ held, sealing, sealingSince, oldRows }: SealingStatus): boolean =>
    sealing > number &&
    held >= sealing &&
    oldRows === 0 &&
    new Date(sealingSince).getTime() < before;
  if (!isFree(await dataKeys.status())) throw new AppError('DATA_KEY_IN_USE');
  const { services, missing } = await askSealing(context);
  if (missing.length > 0) throw new AppError('SERVICE_UNAVAILABLE');
  if (!services.every(({ status }) => isFree(status))) throw new AppError('DATA_KEY_IN_USE');
  await db.transaction(async (tx) => {
    const retired = await query(
      tx,
      `UPDATE data_keys SET wrapped = NULL, retired_at = now()
        WHERE kind = 'seal' AND number = $1 AND retired_at IS NULL RETURNING number`,
      [number],
    );
    if (retired.length === 0) throw new AppError('DATA_KEY_NOT_FOUND');
    await recordAudit(tx, {
      by,
      action: 'data-key.retired',
      objectId: null,
      details: { number },
    });
  });
}
