import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';

/** Where a page begins: after this customer. */
export interface CustomerCursor {
  wholesalerId: string;
  cornerStoreId: string;
}

export interface ListedCustomer extends CustomerCursor {
  externalId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  createdAt: Date;
}

export interface CustomerFilter {
  wholesalerId?: string | undefined;
  cornerStoreId?: string | undefined;
  externalId?: string | undefined;
  after?: CustomerCursor | undefined;
  limit: number;
}

/** Customers in the order of their key. Only the conditions that are asked for are in the statement. */
export function listCustomers(
  db: Db,
  { wholesalerId, cornerStoreId, externalId, after, limit }: CustomerFilter,
): Promise<ListedCustomer[]> {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const require = (column: string, value: string | undefined): void => {
    if (value === undefined) return;
    conditions.push(`${column} = $${values.push(value)}`);
  };
  require('c.wholesaler_id', wholesalerId);
  require('c.corner_store_id', cornerStoreId);
  require('c.external_id', externalId);
  if (after !== undefined) {
    const [wholesaler, store] = [values.push(after.wholesalerId), values.push(after.cornerStoreId)];
    conditions.push(`(c.wholesaler_id, c.corner_store_id) > ($${wholesaler}, $${store})`);
  }
  return query<ListedCustomer>(
    db,
    `SELECT c.wholesaler_id, c.corner_store_id, c.external_id, c.created_at, s.status, s.overdue
       FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
      ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
      ORDER BY c.wholesaler_id, c.corner_store_id LIMIT $${values.push(limit)}`,
    values,
  );
}
