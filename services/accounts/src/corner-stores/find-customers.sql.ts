import type { Db } from '@fiado/chassis/db/database';
import { inAskedOrder, queryNamed } from '@fiado/chassis/db/query';
import type { CornerStoreRow } from './corner-store.entity';

/** A wholesaler and its own name for one of its customers. */
export interface CustomerName {
  wholesalerId: string;
  externalId: string;
}

/** A wholesaler's customer as its lookups show it. */
export interface CustomerRow extends Pick<
  CornerStoreRow,
  'userId' | 'status' | 'overdue' | 'creditLimitCents' | 'interestRate'
> {
  externalId: string;
  cornerStoreId: CornerStoreRow['id'];
}

/** The customers of these names, in their order; undefined for a name that its wholesaler does not use. */
export async function findCustomers(
  db: Db,
  names: CustomerName[],
): Promise<Array<CustomerRow | undefined>> {
  const rows = await queryNamed<CustomerRow & { at: number }>(
    db,
    'find-customers',
    `SELECT asked.at, customer.*
       FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS asked(wholesaler_id, external_id, at),
            -- OFFSET 0: each name is looked up by itself, where a join would read whole tables.
            LATERAL (SELECT c.external_id, s.id AS "cornerStoreId", s.user_id, s.status, s.overdue,
                            s.credit_limit_cents, s.interest_rate
                       FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
                      WHERE c.wholesaler_id = asked.wholesaler_id
                        AND c.external_id = asked.external_id
                     OFFSET 0) customer`,
    [names.map(({ wholesalerId }) => wholesalerId), names.map(({ externalId }) => externalId)],
  );
  return inAskedOrder(names, rows);
}
