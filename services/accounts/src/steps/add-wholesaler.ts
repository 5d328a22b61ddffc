import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import type { WholesalerSettings } from '../domain/wholesaler-settings';
import { wholesalerEvent } from './announce-changes';
import { insertApiKey, type IssuedApiKey } from './insert-api-key';

export interface NewWholesaler {
  by: Caller;
  name: string;
  settings: WholesalerSettings;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/** Adds a wholesaler and its first key. The caller wakes the relay. */
export async function addWholesaler(
  context: Context,
  tx: Transaction,
  { by, name, settings, auditDetails = {} }: NewWholesaler,
): Promise<{ wholesaler: Required<WholesalerSnapshot>; key: IssuedApiKey }> {
  const wholesalerId = newId();
  await insertRow(tx, 'wholesalers', { id: wholesalerId, name, ...settings });
  const key = await insertApiKey(context, tx, { kind: 'wholesaler', id: wholesalerId });
  const { current, event } = await wholesalerEvent(tx, wholesalerId);
  await appendToOutbox(tx, event);
  await recordAudit(tx, {
    by,
    action: 'wholesaler.created',
    objectId: wholesalerId,
    details: auditDetails,
  });
  return { wholesaler: current.snapshot, key };
}
