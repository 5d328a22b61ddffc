import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { outboxRows, type OutboxRow } from '@fiado/chassis/outbox/append';
import type { Versioned, WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { cornerStoreChanged } from '@fiado/contracts/jobs/corner-store-changed';
import { timeZoneChanged } from '@fiado/contracts/jobs/time-zone-changed';
import { wholesalerChanged } from '@fiado/contracts/jobs/wholesaler-changed';
import { cornerStoreSnapshots, wholesalerSnapshot } from '../db/snapshots.repository';

/**
 * The events that tell others of corner stores whose version was just raised: read back in the
 * same database transaction, so that version and content belong together.
 */
export async function cornerStoreEvents(tx: Db, cornerStoreIds: string[]): Promise<OutboxRow[]> {
  const changed = await cornerStoreSnapshots(tx, cornerStoreIds);
  return [
    ...changed.flatMap(({ version, snapshot }) =>
      outboxRows(cornerStoreChanged, { id: snapshot.cornerStoreId, version }, snapshot),
    ),
    ...(await timeZoneEvents(tx, cornerStoreIds)),
  ];
}

/** Of the stores that have a time zone of their own, for payments, which consumes nothing else. */
async function timeZoneEvents(tx: Db, cornerStoreIds: string[]): Promise<OutboxRow[]> {
  const stores = await query<{ id: string; version: number; timeZone: string }>(
    tx,
    `SELECT id, version, time_zone FROM corner_stores
      WHERE id = ANY($1) AND time_zone IS NOT NULL`,
    [cornerStoreIds],
  );
  return stores.flatMap(({ id, version, timeZone }) =>
    outboxRows(timeZoneChanged, { id, version }, { cornerStoreId: id, timeZone }),
  );
}

/** The current settings of a wholesaler that was just written, and their event. */
export async function wholesalerEvent(
  tx: Db,
  wholesalerId: string,
): Promise<{ current: Versioned<Required<WholesalerSnapshot>>; event: OutboxRow[] }> {
  const current = await wholesalerSnapshot(tx, wholesalerId);
  if (current === null) throw new Error('The wholesaler of this database transaction is gone');
  const { version, snapshot } = current;
  return { current, event: outboxRows(wholesalerChanged, { id: wholesalerId, version }, snapshot) };
}
