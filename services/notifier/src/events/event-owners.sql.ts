import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import type { EventOwnerKind } from '@fiado/contracts/events';

export interface EventOwner {
  kind: EventOwnerKind;
  id: string;
}

/**
 * Locks the row of an owner, and inserts it if it is missing. Limits of the owner are checked under this lock.
 * @returns whether the owner wants events
 */
export async function lockOwner(tx: Transaction, { kind, id }: EventOwner): Promise<boolean> {
  await query(
    tx,
    'INSERT INTO event_owners (id, kind) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
    [id, kind],
  );
  const [owner] = await query<{ wantsEvents: boolean }>(
    tx,
    'SELECT wants_events FROM event_owners WHERE id = $1 FOR UPDATE',
    [id],
  );
  return owner?.wantsEvents ?? false;
}

/** Stores whether an owner wants events. The other services have tables of their own. */
export async function storeWantsEvents(
  db: Db,
  { kind, id }: EventOwner,
  wantsEvents: boolean,
): Promise<void> {
  await query(
    db,
    `INSERT INTO event_owners (id, kind, wants_events) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET wants_events = excluded.wants_events`,
    [id, kind, wantsEvents],
  );
}

export async function wantsEvents(db: Db, ownerId: string): Promise<boolean> {
  const rows = await query(db, 'SELECT FROM event_owners WHERE id = $1 AND wants_events', [
    ownerId,
  ]);
  return rows.length === 1;
}

/** The caller as the owner of events and endpoints. */
export function eventOwnerOf({ kind, id }: Caller): EventOwner {
  return { kind: kind === 'provider' ? 'payment-provider' : 'wholesaler', id };
}
