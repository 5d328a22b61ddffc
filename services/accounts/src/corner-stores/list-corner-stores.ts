import { IsIn, IsOptional, IsString, isUUID, IsUUID } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Caller } from '@fiado/contracts/caller';
import { ValidationError } from '@fiado/contracts/errors';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
  presentMaskedCornerStoreDetails,
  READS_PERSONAL_DATA,
} from './corner-store-details';
import {
  type CornerStoreDetails,
  type Cursor,
  type DetailsFilter,
  listCornerStoreDetails,
} from './corner-store-details.sql';
import { SHOWN_STATUSES, type ShownStatus } from './corner-store.rules';

/** Corner stores on one page. */
const PAGE_SIZE = 100;

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

interface CornerStorePage {
  cornerStores: CornerStoreDetails[];
  /** Where the next page begins; undefined on the last one. */
  next: Cursor | undefined;
}

interface ListCornerStores {
  by: Caller;
  /** Whether the caller gets them without personal data. */
  masked: boolean;
  filter: Omit<DetailsFilter, 'limit'>;
}

/** A page of corner stores for ops, newest first. The shown stores are audited. */
async function listCornerStores(
  { db }: Context,
  { by, masked, filter }: ListCornerStores,
): Promise<CornerStorePage> {
  // One row more than a page shows whether another page follows.
  const found = await listCornerStoreDetails(db, { ...filter, limit: PAGE_SIZE + 1 });
  const cornerStores = found.slice(0, PAGE_SIZE);
  if (!masked && cornerStores.length > 0) {
    const details = { cornerStoreIds: cornerStores.map(({ cornerStoreId }) => cornerStoreId) };
    await recordAudit(db, { by, action: 'corner-stores.listed', objectId: null, details });
  }
  return { cornerStores, next: found.length > PAGE_SIZE ? cornerStores.at(-1) : undefined };
}
