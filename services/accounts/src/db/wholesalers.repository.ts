import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';

/** A wholesaler's settings, as columns of `wholesalers`. */
export const WHOLESALER_SETTINGS = `
  id AS "wholesalerId", name, minimum_transaction_cents,
  trim_scale(commission_rate)::text AS "commissionRate",
  payment_term_days, delivery_word_enabled, delivery_word_required, confirmation_required,
  trim_scale(delivery_overage_rate)::text AS "deliveryOverageRate",
  sms_to_unknown_per_day, phone_change_hold, batch_enabled, batch_items_per_day`;

/** Wholesalers with their settings, newest first: ids are in the order of their time. */
export function findWholesalers(
  db: Db,
  cursor: string | undefined,
  limit: number,
): Promise<Required<WholesalerSnapshot>[]> {
  return query<Required<WholesalerSnapshot>>(
    db,
    `SELECT ${WHOLESALER_SETTINGS} FROM wholesalers
      WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [cursor ?? null, limit],
  );
}

export interface WholesalerName {
  wholesalerId: string;
  name: string;
}

/** The names of those wholesalers, in the order of their ids. */
export function findWholesalerNames(db: Db, ids: string[]): Promise<WholesalerName[]> {
  return query<WholesalerName>(
    db,
    'SELECT id AS "wholesalerId", name FROM wholesalers WHERE id = ANY($1) ORDER BY id',
    [ids],
  );
}
