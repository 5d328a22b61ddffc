import {
  IsIn,
  IsOptional,
  IsString,
  isUUID,
  IsUUID,
  Matches,
} from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { ValidationError } from '@fiado/contracts/errors';
import { type ListTotals, MAX_COUNTED, pageOf } from '@fiado/contracts/page';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
  presentMaskedCornerStoreDetails,
  READS_PERSONAL_DATA,
} from './corner-store-details';
import { type CornerStoreDetails, SELECT_DETAILS } from './corner-store-details.sql';
import { SHOWN_STATUSES, type ShownStatus } from './corner-store.rules';

/** Corner stores on one page. */
const PAGE_SIZE = 100;
const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
/** At most a page of them. */
const IDS = new RegExp(`^${UUID}(?:,${UUID}){0,${PAGE_SIZE - 1}}$`, 'i');

const SORTS = ['-createdAt', 'createdAt'] as const;

class ListCornerStoresQuery {
  @IsOptional()
  @IsIn(SHOWN_STATUSES)
  status?: ShownStatus;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @About('`true`: only corner stores whose changed phone number holds their orders now')
  @IsOptional()
  @IsIn(['true', 'false'])
  phoneHeld?: 'true' | 'false';

  @About('`true`: only corner stores that are paused')
  @IsOptional()
  @IsIn(['true', 'false'])
  paused?: 'true' | 'false';

  @About(
    'Only these corner stores, such as those of a page of orders: up to 100 ids with commas between them',
  )
  @IsOptional()
  @Matches(IDS, { message: 'cornerStoreIds must be up to 100 ids with commas between them' })
  cornerStoreIds?: string;

  @About('`true`: the answer has `totals`, the count of the rows of all pages')
  @IsOptional()
  @IsIn(['true', 'false'])
  totals?: 'true' | 'false';

  @About('Field to sort by, with `-` the latest first', 'createdAt')
  @IsOptional()
  @IsIn(SORTS)
  sort?: (typeof SORTS)[number];

  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;
}

export const listCornerStoresEndpoint = listEndpoint({
  id: 'listCornerStores',
  as: 'cornerStores.list',
  columns: [
    'cornerStoreId',
    'status',
    'creditLimit',
    'interestRate',
    'firstName',
    'lastNames',
    'phoneNumber',
    'createdAt',
  ],
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores',
  scope: 'viewer',
  summary: 'List corner stores',
  description:
    'A viewer gets initials and masked phone numbers; of a blocked store everybody does. ' +
    'A paused store is listed with `paused=true` or without a `status`, and not among those in `in-manual-validation`.',
  query: ListCornerStoresQuery,
  page: 'CornerStorePage',
  items: { cornerStores: t.field(cornerStoreDetails, 'Corner stores') },
  cursor: t.text,
  totals: true,
  example: exampleDetails,
  input: ({ query, caller: by }) => ({
    by,
    masked: !by.scopes.includes(READS_PERSONAL_DATA),
    counts: query.totals === 'true',
    filter: {
      status: query.status,
      wholesalerId: query.wholesalerId,
      phoneHeld: query.phoneHeld === 'true',
      paused: query.paused === 'true',
      cornerStoreIds: query.cornerStoreIds?.split(','),
      oldestFirst: query.sort === 'createdAt',
      after: query.cursor === undefined ? undefined : readCursor(query.cursor),
    },
  }),
  // A page of corner stores for ops, newest first. The shown stores are audited.
  find: async ({ db }: Context, { by, masked, counts, filter }) => {
    const found = await listCornerStoreDetails(db, { ...filter, limit: PAGE_SIZE + 1 });
    const { page, nextCursor } = pageOf(found, PAGE_SIZE, writeCursor);
    if (!masked && page.length > 0) {
      const details = { cornerStoreIds: page.map(({ cornerStoreId }) => cornerStoreId) };
      await recordAudit(db, { by, action: 'corner-stores.listed', objectId: null, details });
    }
    return { page, nextCursor, masked, totals: counts ? await countStores(db, filter) : undefined };
  },
  present: (store, context, { masked }) =>
    masked || store.blockedAt !== null
      ? presentMaskedCornerStoreDetails(store, context)
      : presentCornerStoreDetails(store, context),
});

interface DetailsFilter {
  status: ShownStatus | undefined;
  wholesalerId: string | undefined;
  /** Only those whose changed phone holds orders now. */
  phoneHeld: boolean;
  /** Only those that are paused. */
  paused: boolean;
  /** Only these; undefined: all. */
  cornerStoreIds: string[] | undefined;
  oldestFirst: boolean;
  after: Cursor | undefined;
  limit: number;
}

/** Where a page of the list begins: after this store. */
interface Cursor {
  createdMicros: number;
  cornerStoreId: string;
}

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

/** Added only on request: with an OR, the planner would read all corner stores. */
const WITH_HELD_PHONE =
  'AND s.id IN (SELECT corner_store_id FROM phone_changes WHERE held_until > now())';

const WITH_IDS = 'AND s.id = ANY ($6::uuid[])';

const OF_WHOLESALER = `($2::uuid IS NULL
  OR EXISTS (SELECT FROM customers c WHERE c.corner_store_id = s.id AND c.wholesaler_id = $2))`;

/** The stores of a list; $1 and $2 are the status and the wholesaler, whose condition is apart. */
function storesOf({ status, phoneHeld, paused }: Omit<DetailsFilter, 'limit'>): string {
  // The CASE is that of the index corner_stores_of_status.
  return `($1::text IS NULL
           OR $1 = CASE WHEN s.status = 'approved' AND s.overdue THEN 'in-payment-default'
                        ELSE s.status END)
    ${phoneHeld ? WITH_HELD_PHONE : ''}
    ${paused ? 'AND s.pause IS NOT NULL' : ''}
    ${status === 'in-manual-validation' ? 'AND s.pause IS NULL' : ''}`;
}

const orderOf = ({ oldestFirst }: Pick<DetailsFilter, 'oldestFirst'>): string =>
  oldestFirst ? 's.created_at, s.id' : 's.created_at DESC, s.id DESC';

/** Counts the first stores of the list, in its order: as many as are read at most. */
async function countStores(
  db: Db,
  filter: Omit<DetailsFilter, 'limit'>,
): Promise<ListTotals | undefined> {
  const { status, wholesalerId, cornerStoreIds } = filter;
  // A caller that names the stores knows their number.
  if (cornerStoreIds !== undefined) return undefined;
  return queryOne<ListTotals>(
    db,
    `SELECT count(*) FILTER (WHERE chosen)::integer AS count, NULL AS cents,
            count(*) = ${MAX_COUNTED} AS has_more
       FROM (SELECT ${OF_WHOLESALER} AS chosen FROM corner_stores s WHERE ${storesOf(filter)}
              ORDER BY ${orderOf(filter)} LIMIT ${MAX_COUNTED}) counted`,
    [status, wholesalerId],
  );
}

/** Corner stores in the order that is asked for. */
function listCornerStoreDetails(db: Db, filter: DetailsFilter): Promise<CornerStoreDetails[]> {
  const { status, wholesalerId, cornerStoreIds, oldestFirst, after, limit } = filter;
  return query<CornerStoreDetails>(
    db,
    `${SELECT_DETAILS}
      WHERE ${storesOf(filter)} AND ${OF_WHOLESALER}
        ${cornerStoreIds === undefined ? '' : WITH_IDS}
        AND ($3::bigint IS NULL
             OR (s.created_at, s.id) ${oldestFirst ? '>' : '<'}
                ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4::uuid))
      ORDER BY ${orderOf(filter)} LIMIT $5`,
    [
      status,
      wholesalerId,
      after?.createdMicros,
      after?.cornerStoreId,
      limit,
      ...(cornerStoreIds === undefined ? [] : [cornerStoreIds]),
    ],
  );
}
