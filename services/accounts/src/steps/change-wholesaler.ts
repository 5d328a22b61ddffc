import type { Transaction } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { updateVersionedRow } from '@fiado/chassis/db/rows';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { recordAudit } from '../db/audit-log.repository';
import { changedValues } from '../domain/changed-values';
import { settingsProblems, type WholesalerSettings } from '../domain/wholesaler-settings';
import { wholesalerEvent } from './announce-changes';
import { endWaitingChanges } from './end-waiting-changes';

export type WholesalerChanges = Partial<WholesalerSettings & { name: string }>;

/** A wholesaler that this transaction has locked. */
export type LockedWholesaler = WholesalerSettings & { name: string; version: number };

export interface ChangeWholesaler {
  by: Pick<Caller, 'kind' | 'id'>;
  wholesalerId: string;
  /** Decides on the locked wholesaler; undefined leaves it unchanged. */
  decide: (
    wholesaler: LockedWholesaler,
  ) => WholesalerChanges | undefined | Promise<WholesalerChanges | undefined>;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/**
 * Changes a wholesaler: locks it, decides, writes, publishes the change and audits it. Changes of it that
 * wait for a second person are over. The caller wakes the relay.
 * @throws AppError WHOLESALER_NOT_FOUND
 * @throws ValidationError when the settings contradict each other after this change
 */
export async function changeWholesaler(
  tx: Transaction,
  { by, wholesalerId, decide, auditDetails = {} }: ChangeWholesaler,
): Promise<void> {
  const before = await queryRow<LockedWholesaler>(
    tx,
    'SELECT * FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE',
    [wholesalerId],
  );
  if (before === undefined) throw new AppError('WHOLESALER_NOT_FOUND');
  const changes = await decide(before);
  if (changes === undefined) return;
  refuseContradiction(before, changes);
  await updateVersionedRow(tx, 'wholesalers', wholesalerId, changes);
  await endWaitingChanges(tx, { by, kind: 'wholesaler.settings', targetId: wholesalerId });
  await appendToOutbox(tx, (await wholesalerEvent(tx, wholesalerId)).event);
  await recordAudit(tx, {
    by,
    action: 'wholesaler.changed',
    objectId: wholesalerId,
    details: { ...changedValues<WholesalerChanges>(before, changes), ...auditDetails },
  });
}

/**
 * Refuses settings that contradict each other. Stored settings from before this rule may: a change that
 * names none of the two still passes.
 * @throws ValidationError
 */
export function refuseContradiction(before: LockedWholesaler, changes: WholesalerChanges): void {
  const isNamed = 'deliveryWordEnabled' in changes || 'deliveryWordRequired' in changes;
  const problems = isNamed ? settingsProblems({ ...before, ...changes }) : [];
  if (problems.length > 0) throw new ValidationError(problems);
}
