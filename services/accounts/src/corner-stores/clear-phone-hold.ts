import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { Caller } from '@fiado/contracts/caller';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { changeCornerStore } from './change-corner-store';
import { cornerStoreChange } from './corner-store-details';
import type { CornerStoreDetails } from './corner-store-details.sql';

export const clearPhoneHoldEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'clearPhoneHold',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/clear-phone-hold',
  scope: 'operator',
  summary: 'Clear the hold after a phone number change',
  description:
    'A wholesaler that changes the phone number of a store may not place large orders or batch ' +
    'items for it for 24 hours: `phoneHeldUntil` of its link. Ask the owner of the store before ' +
    'you clear the hold. The call also confirms the number: the page `Mi cuenta` then shows the debts ' +
    'at all wholesalers again.',
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: clearPhoneHold,
});

/**
 * Ends all phone holds of a corner store, after ops has talked to its owner. Does nothing if there
 * are none. Confirms the number.
 */
export function clearPhoneHold(
  context: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<CornerStoreDetails> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.phone-hold-cleared',
    decide: async (_store, tx) => {
      await confirmPhone(tx, by, cornerStoreId);
      return (await clearPhoneHolds(tx, cornerStoreId)) ? {} : undefined;
    },
  });
}

/**
 * Confirms the number that a wholesaler gave the owner of a locked corner store: the page "Mi cuenta"
 * then shows the debts at all wholesalers. Nobody else relies on it, so the store does not change.
 */
async function confirmPhone(tx: Transaction, by: Caller, cornerStoreId: string): Promise<void> {
  const confirmed = await query(
    tx,
    `UPDATE users SET phone_given_by = NULL
       FROM corner_stores s
      WHERE s.id = $1 AND users.id = s.user_id AND phone_given_by IS NOT NULL RETURNING users.id`,
    [cornerStoreId],
  );
  if (confirmed.length === 0) return;
  await recordAudit(tx, { by, action: 'user.phone-confirmed', objectId: cornerStoreId });
}

/** Ends the holds of a locked corner store. @returns whether there were any */
async function clearPhoneHolds(tx: Db, cornerStoreId: string): Promise<boolean> {
  const cleared = await query(
    tx,
    `UPDATE phone_changes SET held_until = NULL
      WHERE corner_store_id = $1 AND held_until > now() RETURNING id`,
    [cornerStoreId],
  );
  return cleared.length > 0;
}
