import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { PrivacyRequestStatus } from '@fiado/contracts/privacy';
import { PrivacyRequestRow } from './privacy-request.entity';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import { In, Not } from '@fiado/chassis/db/typeorm';

/** A request of a person, without the columns for the making of packages. */
export type PrivacyRequest = Omit<PrivacyRequestRow, 'createdAt' | 'packageTriedAt'>;

/** With the store of its person, and the names of the people or keys; null where they have none. */
export interface ShownPrivacyRequest extends PrivacyRequest {
  cornerStoreId: CornerStoreRow['id'];
  openedByName: string | null;
  answeredByName: string | null;
}

/** Staff and ops keys are few, so no index is needed. */
export const SHOWN_PRIVACY_REQUESTS = `
  SELECT r.*, store.id AS corner_store_id, coalesce(s.name, k.name) AS opened_by_name,
         coalesce(a.name, l.name) AS answered_by_name
    FROM privacy_requests r
    JOIN corner_stores store ON store.user_id = r.user_id
    LEFT JOIN staff s ON s.id::text = r.opened_by
    LEFT JOIN ops_keys k ON k.id::text = r.opened_by
    LEFT JOIN staff a ON a.id::text = r.answered_by
    LEFT JOIN ops_keys l ON l.id::text = r.answered_by`;

export function findPrivacyRequest(db: Db, id: string): Promise<ShownPrivacyRequest | undefined> {
  return queryRow(db, `${SHOWN_PRIVACY_REQUESTS} WHERE r.id = $1`, [id]);
}

/** The owner of a corner store, with the store locked. */
export interface LockedPerson extends Pick<
  CornerStoreRow,
  'userId' | 'opposedAt' | 'oppositionChangedAt' | 'blockedAt' | 'erasedAt'
> {
  cornerStoreId: CornerStoreRow['id'];
}

/** Locks the store of a person. Every use case that opens, answers or ends a request takes this lock first. */
export async function lockPerson(tx: Transaction, userId: string): Promise<LockedPerson | null> {
  const store = await tx.manager.findOne(CornerStoreRow, {
    where: { userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (store === null) return null;
  const { id: cornerStoreId, opposedAt, oppositionChangedAt, blockedAt, erasedAt } = store;
  return { userId, cornerStoreId, opposedAt, oppositionChangedAt, blockedAt, erasedAt };
}

/** Locks a request, and before it the store of its person. */
export async function lockRequestAndPerson(
  tx: Transaction,
  id: string,
): Promise<{ request: PrivacyRequestRow; person: LockedPerson } | null> {
  const found = await tx.manager.findOneBy(PrivacyRequestRow, { id });
  if (found === null) return null;
  const person = await lockPerson(tx, found.userId);
  const request = await lockPrivacyRequest(tx, id);
  return person && request && { request, person };
}

export function lockPrivacyRequest(tx: Transaction, id: string): Promise<PrivacyRequestRow | null> {
  return tx.manager.findOne(PrivacyRequestRow, {
    where: { id },
    lock: { mode: 'for_no_key_update' },
  });
}

const UNDONE = In<PrivacyRequestStatus>(['open', 'executing']);

/** The request of a kind that a person has open; its store is locked. */
export function findOpenRequest(
  tx: Transaction,
  { userId, kind }: Pick<PrivacyRequestRow, 'userId' | 'kind'>,
): Promise<PrivacyRequestRow | null> {
  return tx.manager.findOneBy(PrivacyRequestRow, { userId, kind, status: UNDONE });
}

/** Whether a person has a request open beside that one. */
export function hasOpenRequest(
  db: Db,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<boolean> {
  const others = { userId, id: Not(requestId), status: UNDONE };
  return db.manager.existsBy(PrivacyRequestRow, others);
}

/** Notes what was answered, or done, of a locked request. */
export async function updatePrivacyRequest(
  tx: Transaction,
  id: string,
  changes: Partial<Omit<PrivacyRequest, 'id'>>,
): Promise<void> {
  await tx.manager.update(PrivacyRequestRow, id, changes);
}

/** Withdraws the voluntary purposes of a person's consents. The necessary ones of the same consent stay. */
export async function withdrawVoluntaryConsents(tx: Transaction, userId: string): Promise<void> {
  await query(
    tx,
    `UPDATE consents SET withdrawn_at = now()
      WHERE user_id = $1 AND withdrawn_at IS NULL AND 'voluntary' = ANY (purposes)`,
    [userId],
  );
}
