import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { type ApprovedChange, requestChange } from '../approvals/request-change';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { mayBeOneHuman } from '../staff/roots.sql';
import { changeCornerStore, changeLockedStore } from './change-corner-store';
import { cornerStoreChange } from './corner-store-details';
import type { CornerStoreDetails } from './corner-store-details.sql';
import type { AuditEntryRow } from '../audit/audit-entry.entity';

export const clearPhoneHoldEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'clearPhoneHold',
  as: 'cornerStores.clearPhoneHold',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/clear-phone-hold',
  scope: 'operator',
  mayWait: true,
  errors: [...cornerStoreChange.errors, 'CHANGE_ALREADY_REQUESTED'],
  summary: 'Clear the hold after a phone number change',
  description:
    'A wholesaler that changes the phone number of a store may not place large orders or batch ' +
    'items for it for 24 hours: `phoneHeldUntil` of its link. Ask the owner of the store before ' +
    'you clear the hold. The call also confirms the number: the page `Mi cuenta` then shows the debts ' +
    'at all wholesalers again. Within two days after a change by the same person, one that it approved, or one of a ' +
    'wholesaler whose key it collected, it waits for a second person.',
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: clearPhoneHold,
});

/**
 * Ends all phone holds of a corner store, after ops has talked to its owner. Does nothing if there
 * are none. Confirms the number. Who changed the number needs a second person.
 * @throws AppError CORNER_STORE_NOT_FOUND, CORNER_STORE_IS_BLOCKED, CHANGE_ALREADY_REQUESTED
 */
export function clearPhoneHold(
  context: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<CornerStoreDetails | ChangeRequested> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: ACTION,
    decide: async ({ version }, tx) => {
      const waits =
        needsSecondPerson(context.config.FOUR_EYES, by) &&
        (await hasChangedPhone(tx, by.id, cornerStoreId));
      if (!waits) return confirmAndClear(tx, by, cornerStoreId);
      return requestChange(tx, {
        by,
        kind: 'corner-store.phone-hold',
        targetId: cornerStoreId,
        targetVersion: version,
        payload: { cornerStoreId },
      });
    },
  });
}

/** Clears the holds that a second person approved. */
export async function clearApprovedHolds(
  tx: Transaction,
  { decide, ...approved }: ApprovedChange & { cornerStoreId: string },
): Promise<void> {
  await changeLockedStore(tx, {
    ...approved,
    action: ACTION,
    decide: (store) => decide(store) && confirmAndClear(tx, approved.by, approved.cornerStoreId),
  });
}

const ACTION = 'corner-store.phone-hold-cleared';

async function confirmAndClear(
  tx: Transaction,
  by: AuditedBy['by'],
  cornerStoreId: string,
): Promise<object | undefined> {
  await confirmPhone(tx, by, cornerStoreId);
  return (await clearPhoneHolds(tx, cornerStoreId)) ? {} : undefined;
}

/** Longer than any hold. */
const OWN_CHANGE_DAYS = 2;

/** Whether the human who asks may have changed the store's number, also as a wholesaler, or approved that. */
async function hasChangedPhone(
  tx: Transaction,
  askedBy: string,
  cornerStoreId: string,
): Promise<boolean> {
  const changers = await query<{ id: AuditEntryRow['actorId'] }>(
    tx,
    `WITH owner AS (SELECT user_id FROM corner_stores WHERE id = $1)
     SELECT a.actor_id AS id FROM audit_log a
      WHERE a.object_id = (SELECT user_id FROM owner) AND a.action = 'user.phone-changed'
        AND a.occurred_at > now() - make_interval(days => $2)
     UNION
     SELECT r.decided_by FROM change_requests r
      WHERE r.kind = 'privacy.rectify' AND r.status = 'executed'
        AND r.payload ->> 'userId' = (SELECT user_id::text FROM owner)
        AND r.decided_at > now() - make_interval(days => $2)`,
    [cornerStoreId, OWN_CHANGE_DAYS],
  );
  for (const { id } of changers) {
    if (await mayBeOneHuman(tx, id, askedBy)) return true;
  }
  return false;
}

/**
 * Confirms the number that a wholesaler gave the owner of a locked corner store: the page "Mi cuenta"
 * then shows the debts at all wholesalers. Nobody else relies on it, so the store does not change.
 */
async function confirmPhone(
  tx: Transaction,
  by: AuditedBy['by'],
  cornerStoreId: string,
): Promise<void> {
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
