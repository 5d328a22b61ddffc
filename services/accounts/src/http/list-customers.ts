import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { LimitQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsOptional, IsString, IsUUID, isUUID } from 'class-validator';
import type { Context } from '../context';
import { listCustomers, type CustomerCursor } from '../db/list-customers.repository';
import { SHOWN_STATUSES, shownStatus } from '../domain/corner-store';
import { EXAMPLE_IDS } from './examples';

/** No external id is longer, in characters. */
const MAX_EXTERNAL_ID = 200;

class ListCustomersQuery extends LimitQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @IsOptional()
  @IsNonEmptyText(MAX_EXTERNAL_ID)
  externalId?: string;

  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** Whose customer a corner store is, and its id there. */
const listedCustomer = t.object('ListedCustomer', {
  wholesalerId: t.uuid,
  cornerStoreId: t.uuid,
  externalId: t.text,
  status: t.oneOf(SHOWN_STATUSES),
  createdAt: t.timestamp,
});

export const listCustomersEndpoint = endpoint({
  id: 'listCustomers',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/customers',
  scope: 'viewer',
  summary: 'List which corner store is whose customer',
  description: 'In no order of time. One corner store may be the customer of several wholesalers.',
  query: ListCustomersQuery,
  answer: t.page('CustomerPage', { customers: t.listOf(listedCustomer) }, t.text),
  example: {
    customers: [
      {
        wholesalerId: EXAMPLE_IDS.wholesalerId,
        cornerStoreId: EXAMPLE_IDS.cornerStoreId,
        externalId: 'tienda-001',
        status: 'approved',
        createdAt: '2026-09-21T16:04:05.678Z',
      },
    ],
    nextCursor: null,
  },
  input: ({ query: { cursor, ...filter } }) => ({
    ...filter,
    after: cursor === undefined ? undefined : readCursor(cursor),
  }),
  handle: async ({ db }: Context, { limit, ...filter }) => {
    const found = await listCustomers(db, { ...filter, limit: limit + 1 });
    return pageOf(found, limit, writeCursor);
  },
  present: ({ page, nextCursor }) => ({
    customers: page.map((customer) => ({
      wholesalerId: customer.wholesalerId,
      cornerStoreId: customer.cornerStoreId,
      externalId: customer.externalId,
      status: shownStatus(customer.status, customer.overdue),
      createdAt: customer.createdAt.toISOString(),
    })),
    nextCursor,
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
