import type { Caller } from '@fiado/shared/chassis/internal-token';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { WholesalerSnapshot } from '@fiado/shared/contracts/corner-store';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { Wholesaler } from '../db/wholesaler.entity';
import type { WholesalerSettings } from '../domain/wholesaler-settings';
import { wholesalerEvent } from './announce-changes';

export interface UpdateWholesaler {
  by: Caller;
  wholesalerId: string;
  /** What is named is set, the rest stays. */
  changes: Partial<WholesalerSettings & { name: string }>;
}

/** @throws AppError WHOLESALER_NOT_FOUND */
export async function updateWholesaler(
  context: Context,
  { by, wholesalerId, changes }: UpdateWholesaler,
): Promise<WholesalerSnapshot> {
  const updated = await context.db.transaction(async (tx) => {
    const { affected } = await tx.update(Wholesaler, wholesalerId, {
      ...changes,
      version: () => 'version + 1',
      updatedAt: () => 'now()',
    });
    if (affected === 0) throw new AppError('WHOLESALER_NOT_FOUND');

    const { current, event } = await wholesalerEvent(tx, wholesalerId);
    await appendToOutbox(tx, event);
    await recordAudit(tx, {
      by,
      action: 'wholesaler.changed',
      objectId: wholesalerId,
      details: changes,
    });
    return current.snapshot;
  });
  context.relay.wake();
  return updated;
}
