import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { PrivacyRequestRow } from './privacy-request.entity';

/** What a person asked, without what the making of packages notes. */
export type PrivacyRequest = Omit<PrivacyRequestRow, 'createdAt' | 'packageTriedAt'>;

/** With the store of its person, and the names of the people or keys; null where they have none. */
export interface ShownPrivacyRequest extends PrivacyRequest {
  cornerStoreId: string;
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
export interface LockedPerson {
  userId: string;
  cornerStoreId: string;
  opposedAt: Date | null;
  /** When the opposition last began or ended. */
  oppositionChangedAt: Date | null;
  blockedAt: Date | null;
  erasedAt: Date | null;
}

/** Locks the store of a person: whatever opens, answers or ends a request does this first. */
export function lockPerson(tx: Transaction, userId: string): Promise<LockedPerson | undefined> {
  return queryRow(
    tx,
    `SELECT user_id, id AS corner_store_id, opposed_at, opposition_changed_at, blocked_at, erased_at
       FROM corner_stores WHERE user_id = $1 FOR NO KEY UPDATE`,
    [userId],
  );
}

/** Locks a request, and before it the store of its person. */
export async function lockRequestAndPerson(
  tx: Transaction,
  id: string,
): Promise<{ request: PrivacyRequest; person: LockedPerson } | undefined> {
  const found = await tx.manager.findOneBy(PrivacyRequestRow, { id });
  if (found === null) return undefined;
  const person = await lockPerson(tx, found.userId);
  const request = await lockPrivacyRequest(tx, id);
  return person && request && { request, person };
}

export function lockPrivacyRequest(
  tx: Transaction,
  id: string,
): Promise<PrivacyRequest | undefined> {
  return queryRow(tx, 'SELECT * FROM privacy_requests WHERE id = $1 FOR NO KEY UPDATE', [id]);
}

/** The request of a kind that a person has open; its store is locked. */
export function findOpenRequest(
  tx: Transaction,
  { userId, kind }: Pick<PrivacyRequest, 'userId' | 'kind'>,
): Promise<PrivacyRequest | undefined> {
  return queryRow(
    tx,
    `SELECT * FROM privacy_requests
      WHERE user_id = $1 AND kind = $2 AND status IN ('open', 'executing')`,
    [userId, kind],
  );
}

/** Whether a person has a request open beside that one. */
export async function hasOpenRequest(
  db: Db,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<boolean> {
  const found = await queryRow(
    db,
    `SELECT FROM privacy_requests
      WHERE user_id = $1 AND id <> $2 AND status IN ('open', 'executing') LIMIT 1`,
    [userId, requestId],
  );
  return found !== undefined;
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
