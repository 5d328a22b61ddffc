import { queryRow } from '@fiado/shared/chassis/db/query';
import { updateVersionedRow } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { WholesalerSnapshot } from '@fiado/shared/contracts/corner-store';
import { AppError, ValidationError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { changedValues } from '../domain/changed-values';
import { settingsProblems, type WholesalerSettings } from '../domain/wholesaler-settings';
import { wholesalerEvent } from '../steps/announce-changes';

export interface UpdateWholesaler {
  by: Caller;
  wholesalerId: string;
  /** Absent fields stay unchanged. */
  changes: Partial<WholesalerSettings & { name: string }>;
}

/**
 * Changes the named settings and publishes them.
 * @throws AppError WHOLESALER_NOT_FOUND
 * @throws ValidationError when the settings contradict each other after this change
 */
export async function updateWholesaler(
  context: Context,
  { by, wholesalerId, changes }: UpdateWholesaler,
): Promise<Required<WholesalerSnapshot>> {
  const updated = await context.db.transaction(async (tx) => {
    const before = await queryRow<typeof changes>(
      tx,
      'SELECT * FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE',
      [wholesalerId],
    );
    if (before === undefined) throw new AppError('WHOLESALER_NOT_FOUND');
    await updateVersionedRow(tx, 'wholesalers', wholesalerId, changes);

    const { current, event } = await wholesalerEvent(tx, wholesalerId);
    // Stored settings from before this rule may contradict each other: other changes still pass.
    const named = 'deliveryWordEnabled' in changes || 'deliveryWordRequired' in changes;
    const problems = named ? settingsProblems(current.snapshot) : [];
    if (problems.length > 0) throw new ValidationError(problems);
    await appendToOutbox(tx, event);
    await recordAudit(tx, {
      by,
      action: 'wholesaler.changed',
      objectId: wholesalerId,
      details: changedValues(before, changes),
    });
    return current.snapshot;
  });
  context.relay.wake();
  return updated;
}
