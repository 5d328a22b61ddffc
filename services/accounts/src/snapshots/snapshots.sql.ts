import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { type OutboxRow, outboxRows } from '@fiado/chassis/outbox/append';
import type {
  CornerStoreSnapshot,
  CustomerLink,
  Versioned,
  WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import {
  cornerStoreChanged,
  timeZoneChanged,
  wholesalerChanged,
} from '@fiado/contracts/jobs/corner-stores';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import type { UserRow } from '../corner-stores/user.entity';
import { In, IsNull, Not } from '@fiado/chassis/db/typeorm';
import type { WholesalerRow } from '../wholesalers/wholesaler.entity';

/** A wholesaler's settings, as columns of `wholesalers`. */
export const WHOLESALER_SETTINGS = `
  id AS "wholesalerId", name, minimum_transaction_cents,
  trim_scale(commission_rate)::text AS "commissionRate",
  payment_term_days, delivery_word_enabled, delivery_word_required, confirmation_required,
  trim_scale(delivery_overage_rate)::text AS "deliveryOverageRate",
  sms_to_unknown_per_day, phone_change_hold, batch_enabled, batch_items_per_day,
  batch_cents_per_day, hold_unproven_days, settlement_every`;

interface PublishedStore
  extends
    Pick<
      CornerStoreRow,
      'version' | 'userId' | 'status' | 'creditLimitCents' | 'interestRate' | 'timeZone'
    >,
    Pick<UserRow, 'phoneUnprovenBy'> {
  cornerStoreId: CornerStoreRow['id'];
  phone: NonNullable<UserRow['phone']>;
  customers: CustomerLink[];
}

/** How often a wholesaler changed the phone of its customer `c`, and until when that holds orders. */
export const PHONE_CHANGES = `
  SELECT count(*) AS changes, max(held_until) AS held_until FROM phone_changes p
   WHERE p.corner_store_id = c.corner_store_id AND p.wholesaler_id = c.wholesaler_id`;

/** A store with all its links, so that a version always has the same content. */
const SELECT_CORNER_STORES = `
  SELECT s.version, s.id AS "cornerStoreId", s.user_id, s.status, s.credit_limit_cents,
         trim_scale(s.interest_rate)::text AS "interestRate", s.time_zone,
         u.phone, u.phone_unproven_by,
         (SELECT coalesce(json_agg(json_build_object(
                   'wholesalerId', c.wholesaler_id, 'externalId', c.external_id,
                   'phoneChanges', change.changes, 'phoneHeldUntil', change.held_until)
                   ORDER BY c.wholesaler_id), '[]')
            FROM customers c CROSS JOIN LATERAL (${PHONE_CHANGES}) change
           WHERE c.corner_store_id = s.id) AS customers
    FROM corner_stores s
    -- An erased store is published no more.
    JOIN users u ON u.id = s.user_id AND u.phone IS NOT NULL`;

/** Snapshots of corner stores by id, as seen by the caller's database transaction. */
export async function cornerStoreSnapshots(
  db: Db,
  cornerStoreIds: string[],
): Promise<Versioned<CornerStoreSnapshot>[]> {
  const rows = await query<PublishedStore>(db, `${SELECT_CORNER_STORES} WHERE s.id = ANY($1)`, [
    cornerStoreIds,
  ]);
  return rows.map(versioned);
}

/** Snapshots of the given stores; stores that are not customers of this wholesaler are left out. */
export async function customerSnapshots(
  db: Db,
  wholesalerId: string,
  asked: { cornerStoreIds: string[]; externalId?: string | undefined },
): Promise<Versioned<CornerStoreSnapshot>[]> {
  const rows = await query<PublishedStore>(
    db,
    `${SELECT_CORNER_STORES}
      WHERE s.id IN (SELECT corner_store_id FROM customers
                      WHERE wholesaler_id = $1
                        AND (corner_store_id = ANY($2) OR external_id = $3))`,
    [wholesalerId, asked.cornerStoreIds, asked.externalId],
  );
  return rows.map(versioned);
}

/** @returns null when there is no such wholesaler */
export async function wholesalerSnapshot(
  db: Db,
  wholesalerId: string,
): Promise<Versioned<Required<WholesalerSnapshot>> | null> {
  const [row] = await query<Required<WholesalerSnapshot> & Pick<WholesalerRow, 'version'>>(
    db,
    `SELECT version, ${WHOLESALER_SETTINGS} FROM wholesalers WHERE id = $1`,
    [wholesalerId],
  );
  if (row === undefined) return null;
  const { version, ...snapshot } = row;
  return { version, snapshot };
}

function versioned({ version, phone, ...row }: PublishedStore): Versioned<CornerStoreSnapshot> {
  return { version, snapshot: { ...row, phoneSealed: phone.toString('base64') } };
}

/**
 * The events of corner stores whose version was just raised: read back in the same database transaction, so that
 * version and content belong together.
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

/**
 * The events about time zones, for payments, which consumes no other event of a store. Only of stores that have a time
 * zone of their own.
 */
async function timeZoneEvents(tx: Db, cornerStoreIds: string[]): Promise<OutboxRow[]> {
  const stores = await tx.manager.findBy(CornerStoreRow, {
    id: In(cornerStoreIds),
    timeZone: Not(IsNull()),
  });
  return stores.flatMap(({ id, version, timeZone }) =>
    timeZone === null
      ? []
      : outboxRows(timeZoneChanged, { id, version }, { cornerStoreId: id, timeZone }),
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
