import { IsOptional, IsString, isUUID, IsUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { LimitQuery, pageOf } from '@fiado/contracts/page';
import type { Context } from '../context';
import { shownStatus } from './corner-store.rules';
import { cornerStoreFields } from './find-corner-stores';
import type { CornerStoreRow } from './corner-store.entity';

/** No external id is longer, in characters. */
const MAX_EXTERNAL_ID = 200;

class ListCustomersQuery extends LimitQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @About('Only customers with this id in the system of their wholesaler', 'tienda-001')
  @IsOptional()
  @IsNonEmptyText(MAX_EXTERNAL_ID)
  externalId?: string;

  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** A wholesaler that a corner store is a customer of, and its id there. */
const listedCustomer = t.object('ListedCustomer', {
  wholesalerId: fields.wholesalerId,
  cornerStoreId: fields.cornerStoreId,
  externalId: t.field(t.text, 'Id of the customer in the wholesaler’s system', 'tienda-001'),
  status: cornerStoreFields.status,
  createdAt: fields.createdAt,
});

export const listCustomersEndpoint = listEndpoint({
  id: 'listCustomers',
  as: 'wholesalers.listCustomers',
  columns: ['externalId', 'cornerStoreId', 'wholesalerId', 'status', 'createdAt'],
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/customers',
  scope: 'viewer',
  summary: 'List which corner store is whose customer',
  description: 'In no order of time. One corner store may be the customer of several wholesalers.',
  query: ListCustomersQuery,
  page: 'CustomerPage',
  items: { customers: t.field(listedCustomer, 'Customers') },
  cursor: t.text,
  example: { status: 'approved' },
  input: ({ query: { cursor, ...filter } }) => ({
    ...filter,
    after: cursor === undefined ? undefined : readCursor(cursor),
  }),
  find: async ({ db }: Context, { limit, ...filter }) => {
    const found = await listCustomers(db, { ...filter, limit: limit + 1 });
    return pageOf(found, limit, writeCursor);
  },
  present: (customer) =>
    t.presentRow(listedCustomer, customer, {
      status: shownStatus(customer.status, customer.overdue),
    }),
});

function writeCursor({ wholesalerId, cornerStoreId }: CustomerCursor): string {
  return Buffer.from(`${wholesalerId}.${cornerStoreId}`).toString('base64url');
}

function readCursor(cursor: string): CustomerCursor {
  const [wholesalerId, cornerStoreId] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!isUUID(wholesalerId) || !isUUID(cornerStoreId)) {
    throw new ValidationError(['cursor must be the nextCursor of a page']);
  }
  return { wholesalerId: wholesalerId as string, cornerStoreId: cornerStoreId as string };
}

/** Where a page begins: after this customer. */
interface CustomerCursor {
  wholesalerId: string;
  cornerStoreId: string;
}

interface ListedCustomer extends CustomerCursor, Pick<CornerStoreRow, 'status' | 'overdue'> {
  externalId: string;
  createdAt: Date;
}

interface CustomerFilter {
  wholesalerId?: string | undefined;
  cornerStoreId?: string | undefined;
  externalId?: string | undefined;
  after?: CustomerCursor | undefined;
  limit: number;
}

/** Customers in the order of their key. Only the conditions that are asked for are in the statement. */
function listCustomers(
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
