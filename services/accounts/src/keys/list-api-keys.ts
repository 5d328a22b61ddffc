import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { PageQuery } from '@fiado/contracts/page';
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

const KEYS = {
  select: 'SELECT id, scopes, expires_at, revoked_at, last_used_at, created_at FROM api_keys',
  from: 'api_keys',
};

/** What both endpoints have in common. */
const listing = {
  tag: 'Credentials',
  scope: 'viewer',
  description: 'Newest first, including revoked and expired ones. No key is shown.',
  query: PageQuery,
  page: 'ApiKeyPage',
  items: { apiKeys: t.field(issuedKeyAnswer, 'Keys of the party, newest first') },
  example: {
    apiKeyId: exampleKey.apiKeyId,
    scopes: ['transactions:read'],
    expiresAt: '2028-01-31T00:00:00.000Z',
    revokedAt: null,
    lastUsedAt: null,
    createdAt: '2026-09-21T16:04:05.678Z',
  },
  columns: ['apiKeyId', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt'],
  present: (key: IssuedKey) => t.presentRow(issuedKeyAnswer, key, { apiKeyId: key.id }),
} as const;

export const listWholesalerKeysEndpoint = listEndpoint({
  ...listing,
  id: 'listWholesalerKeys',
  as: 'wholesalers.listKeys',
  route: 'GET /v1/admin/wholesalers/:wholesalerId/api-keys',
  summary: 'List the keys of a wholesaler',
  errors: ['WHOLESALER_NOT_FOUND'],
  input: ({ query: { ...asked }, id }) => ({
    ...asked,
    ownerId: id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
  }),
  find: async ({ db }: Context, { ownerId, ...asked }) => {
    if (!(await db.manager.existsBy(WholesalerRow, { id: ownerId })))
      throw new AppError('WHOLESALER_NOT_FOUND');
    return pageOfRows<IssuedKey>(db, asked, { ...KEYS, of: { wholesaler_id: ownerId } });
  },
});

export const listProviderKeysEndpoint = listEndpoint({
  ...listing,
  id: 'listProviderKeys',
  as: 'paymentProviders.listKeys',
  route: 'GET /v1/admin/payment-providers/:paymentProviderId/api-keys',
  summary: 'List the keys of a payment provider',
  errors: ['PROVIDER_NOT_FOUND'],
  input: ({ query: { ...asked }, id }) => ({
    ...asked,
    ownerId: id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  }),
  find: async ({ db }: Context, { ownerId, ...asked }) => {
    if (!(await db.manager.existsBy(PaymentProviderRow, { id: ownerId })))
      throw new AppError('PROVIDER_NOT_FOUND');
    return pageOfRows<IssuedKey>(db, asked, { ...KEYS, of: { payment_provider_id: ownerId } });
  },
});

/** A key of a wholesaler or a payment provider, without its hash. */
interface IssuedKey extends Pick<ApiKeyRow, 'id' | 'expiresAt' | 'revokedAt' | 'createdAt'> {
  /** Null is all that keys of its kind may. */
  scopes: ApiKeyRow['scopes'];
  /** Exact to a minute. */
  lastUsedAt: ApiKeyRow['lastUsedAt'];
}
