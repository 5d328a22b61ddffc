import type { Db } from '@fiado/shared/chassis/db/database';
import { query } from '@fiado/shared/chassis/db/query';
import type { PaymentsSums } from '@fiado/shared/contracts/invariants';

export interface SumsPage {
  /** Id of the last corner store of the page before. */
  cursor: string | undefined;
  limit: number;
}

/** What each corner store ever owed and paid of principal, in the order of the ids. */
export function sumByCornerStore(db: Db, { cursor, limit }: SumsPage): Promise<PaymentsSums[]> {
  return query<PaymentsSums>(
    db,
    `SELECT corner_store_id, sum(principal_cents)::bigint AS "principalCents",
            sum(paid_principal_cents)::bigint AS "principalPaidCents",
            sum(interest_cents)::bigint AS "interestCents", sum(iva_cents)::bigint AS "ivaCents",
            count(*) FILTER (WHERE paid_at IS NOT NULL) AS "paidCount",
            count(*) FILTER (WHERE in_default) AS "overdueCount"
       FROM receivables
      WHERE $1::uuid IS NULL OR corner_store_id > $1
      GROUP BY corner_store_id ORDER BY corner_store_id LIMIT $2`,
    [cursor ?? null, limit],
  );
}
