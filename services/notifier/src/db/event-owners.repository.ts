import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { EventOwnerKind } from '@fiado/shared/contracts/events';

/** Stores whether an owner wants events. Those of other services are switched in their own tables. */
export async function storeWantsEvents(
  db: Db,
  { kind, id }: { kind: EventOwnerKind; id: string },
  wantsEvents: boolean,
): Promise<void> {
  await query(
    db,
    `INSERT INTO event_owners (id, kind, wants_events) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET wants_events = excluded.wants_events`,
    [id, kind, wantsEvents],
  );
}
