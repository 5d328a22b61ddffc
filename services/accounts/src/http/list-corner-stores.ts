import { endpoint } from '@fiado/chassis/http/endpoint';
import { ValidationError } from '@fiado/contracts/errors';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsIn, IsOptional, IsString, IsUUID, isUUID } from 'class-validator';
import type { Context } from '../context';
import type { Cursor } from '../db/corner-store-details.repository';
import { SHOWN_STATUSES, type ShownStatus } from '../domain/corner-store';
import { listCornerStores } from '../use-cases/list-corner-stores';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
  presentMaskedCornerStoreDetails,
  READS_PERSONAL_DATA,
} from './corner-store-details';

class ListCornerStoresQuery {
  @IsOptional()
  @IsIn(SHOWN_STATUSES)
  status?: ShownStatus;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  /** `true`: only those whose changed phone holds orders now. */
  @IsOptional()
  @IsIn(['true', 'false'])
  phoneHeld?: 'true' | 'false';

  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

export const listCornerStoresEndpoint = endpoint({
  id: 'listCornerStores',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores',
  scope: 'viewer',
  summary: 'List corner stores',
  query: ListCornerStoresQuery,
  answer: t.page('CornerStorePage', { cornerStores: t.listOf(cornerStoreDetails) }, t.text),
  example: { cornerStores: [exampleDetails], nextCursor: null },
  input: ({ query, caller: by }) => ({
    by,
    masked: !by.scopes.includes(READS_PERSONAL_DATA),
    filter: {
      status: query.status,
      wholesalerId: query.wholesalerId,
      phoneHeld: query.phoneHeld === 'true',
      after: query.cursor === undefined ? undefined : readCursor(query.cursor),
    },
  }),
  handle: async (context: Context, input) => ({
    ...(await listCornerStores(context, input)),
    present: input.masked ? presentMaskedCornerStoreDetails : presentCornerStoreDetails,
  }),
  present: ({ cornerStores, next, present }, context) => ({
    cornerStores: cornerStores.map((store) => present(store, context)),
    nextCursor: next === undefined ? null : writeCursor(next),
  }),
});

function writeCursor({ createdMicros, cornerStoreId }: Cursor): string {
  return Buffer.from(`${createdMicros}.${cornerStoreId}`).toString('base64url');
}

function readCursor(cursor: string): Cursor {
  const [micros = '', cornerStoreId = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^\d{1,16}$/.test(micros) || !isUUID(cornerStoreId)) {
    throw new ValidationError(['cursor must be the nextCursor of a page']);
  }
  return { createdMicros: Number(micros), cornerStoreId };
}
