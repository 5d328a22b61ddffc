import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { type Page, pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { exampleKey } from '../examples';
import { opsKeyFields } from './list-ops-keys';
import { PaymentProviderRow } from '../providers/payment-provider.entity';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';
import type { ApiKeyRow } from './api-key.entity';

export const issuedKeyAnswer = t.object('IssuedApiKey', {
  apiKeyId: fields.apiKeyId,
  scopes: t.field(
    t.nullable(t.listOf(t.text)),
    'What the key may do; without them all that its owner may',
  ),
  expiresAt: t.nullable(fields.expiresAt),
  revokedAt: opsKeyFields.revokedAt,
  lastUsedAt: opsKeyFields.lastUsedAt,
  createdAt: fields.createdAt,
});

/** What both endpoints have in common. */
const listing = {
  tag: 'Credentials',
  scope: 'viewer',
  description: 'Newest first, including revoked and expired ones. No key is shown.',
  query: PageQuery,
  answer: t.page('ApiKeyPage', {
    apiKeys: t.field(t.listOf(issuedKeyAnswer), 'Keys of the party, newest first'),
  }),
  example: {
    apiKeys: [
      {
        apiKeyId: exampleKey.apiKeyId,
        scopes: ['transactions:read'],
        expiresAt: '2028-01-31T00:00:00.000Z',
        revokedAt: null,
        lastUsedAt: null,
        createdAt: '2026-09-21T16:04:05.678Z',
      },
    ],
    nextCursor: null,
  },
} as const;

export const listWholesalerKeysEndpoint = endpoint({
  ...listing,
  id: 'listWholesalerKeys',
  as: 'wholesalers.listKeys',
  columns: ['apiKeyId', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt'],
  route: 'GET /v1/admin/wholesalers/:wholesalerId/api-keys',
  summary: 'List the keys of a wholesaler',
  errors: ['WHOLESALER_NOT_FOUND'],
  input: ({ query: { cursor, limit }, id }) => ({
    ownerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
    cursor,
    limit,
  }),
  handle: async ({ db }: Context, { ownerId, cursor, limit }) => {
    if (!(await db.manager.existsBy(WholesalerRow, { id: ownerId })))
      throw new AppError('WHOLESALER_NOT_FOUND');
    return pageOfKeys(db, { owner: 'wholesaler_id', ownerId, cursor, limit });
  },
  present,
});

export const listProviderKeysEndpoint = endpoint({
  ...listing,
  id: 'listProviderKeys',
  as: 'paymentProviders.listKeys',
  columns: ['apiKeyId', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt'],
  route: 'GET /v1/admin/payment-providers/:paymentProviderId/api-keys',
  summary: 'List the keys of a payment provider',
  errors: ['PROVIDER_NOT_FOUND'],
  input: ({ query: { cursor, limit }, id }) => ({
    ownerId: id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
    cursor,
    limit,
  }),
  handle: async ({ db }: Context, { ownerId, cursor, limit }) => {
    if (!(await db.manager.existsBy(PaymentProviderRow, { id: ownerId }))) {
      throw new AppError('PROVIDER_NOT_FOUND');
    }
    return pageOfKeys(db, { owner: 'payment_provider_id', ownerId, cursor, limit });
  },
  present,
});

async function pageOfKeys(
  db: Context['db'],
  { limit, ...asked }: KeysOfOwner,
): Promise<Page<IssuedKey>> {
  await requireCursor(db, asked.cursor, 'api_keys', { [asked.owner]: asked.ownerId });
  return pageOf(await findKeysOf(db, { ...asked, limit: limit + 1 }), limit);
}

function present({ page, nextCursor }: Page<IssuedKey>) {
  return {
    apiKeys: page.map((key) => t.presentRow(issuedKeyAnswer, key, { apiKeyId: key.id })),
    nextCursor,
  };
}

/** A key of a wholesaler or a payment provider, without its hash. */
interface IssuedKey extends Pick<ApiKeyRow, 'id' | 'expiresAt' | 'revokedAt' | 'createdAt'> {
  /** Null is all that keys of its kind may. */
  scopes: ApiKeyRow['scopes'];
  /** Exact to a minute. */
  lastUsedAt: ApiKeyRow['lastUsedAt'];
}

/** Whose keys, and which page of them. */
interface KeysOfOwner {
  /** The column that names the party. */
  owner: 'wholesaler_id' | 'payment_provider_id';
  ownerId: string;
  cursor: string | undefined;
  limit: number;
}

/** The keys of one party, newest first: ids are in the order of their time. */
function findKeysOf(db: Db, { owner, ownerId, cursor, limit }: KeysOfOwner): Promise<IssuedKey[]> {
  return query<IssuedKey>(
    db,
    `SELECT id, scopes, expires_at, revoked_at, last_used_at, created_at FROM api_keys
      WHERE ${owner} = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [ownerId, cursor, limit],
  );
}
