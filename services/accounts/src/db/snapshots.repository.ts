import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type {
  CornerStoreSnapshot,
  CustomerLink,
  Versioned,
  WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import { WHOLESALER_SETTINGS } from './wholesalers.repository';

interface CornerStoreRow {
  version: number;
  cornerStoreId: string;
  userId: string;
  status: CornerStoreSnapshot['status'];
  creditLimitCents: number;
  interestRate: string;
  timeZone: string | null;
  phone: Buffer;
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
         u.phone,
         (SELECT coalesce(json_agg(json_build_object(
                   'wholesalerId', c.wholesaler_id, 'externalId', c.external_id,
                   'phoneChanges', change.changes, 'phoneHeldUntil', change.held_until)
                   ORDER BY c.wholesaler_id), '[]')
            FROM customers c CROSS JOIN LATERAL (${PHONE_CHANGES}) change
           WHERE c.corner_store_id = s.id) AS customers
    FROM corner_stores s JOIN users u ON u.id = s.user_id`;

/** Snapshots of corner stores by id, as seen by the caller's database transaction. */
export async function cornerStoreSnapshots(
  db: Db,
  cornerStoreIds: string[],
): Promise<Versioned<CornerStoreSnapshot>[]> {
  const rows = await query<CornerStoreRow>(db, `${SELECT_CORNER_STORES} WHERE s.id = ANY($1)`, [
    cornerStoreIds,
  ]);
  return rows.map(versioned);
}

/** Snapshots of those of the asked stores that are this wholesaler's customers. */
export async function customerSnapshots(
  db: Db,
  wholesalerId: string,
  asked: { cornerStoreIds: string[]; externalId?: string | undefined },
): Promise<Versioned<CornerStoreSnapshot>[]> {
  const rows = await query<CornerStoreRow>(
    db,
    `${SELECT_CORNER_STORES}
      WHERE s.id IN (SELECT corner_store_id FROM customers
                      WHERE wholesaler_id = $1
                        AND (corner_store_id = ANY($2) OR external_id = $3))`,
    [wholesalerId, asked.cornerStoreIds, asked.externalId ?? null],
  );
  return rows.map(versioned);
}

/** @returns null when there is no such wholesaler */
export async function wholesalerSnapshot(
  db: Db,
  wholesalerId: string,
): Promise<Versioned<Required<WholesalerSnapshot>> | null> {
  const [row] = await query<Required<WholesalerSnapshot> & { version: number }>(
    db,
    `SELECT version, ${WHOLESALER_SETTINGS} FROM wholesalers WHERE id = $1`,
    [wholesalerId],
  );
  if (row === undefined) return null;
  const { version, ...snapshot } = row;
  return { version, snapshot };
}

function versioned({ version, phone, ...row }: CornerStoreRow): Versioned<CornerStoreSnapshot> {
  return { version, snapshot: { ...row, phoneSealed: phone.toString('base64') } };
}
