import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsRFC3339,
  IsString,
} from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { type AskedPage, pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { type Caller, type Scope, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { PageQuery } from '@fiado/contracts/page';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { requestChange } from '../approvals/request-change';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { futureMoment } from '../request-fields';
import { opsKeyFields } from './list-ops-keys';
import { newApiKey } from './secrets';
import { PaymentProviderRow } from '../providers/payment-provider.entity';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';
import { ApiKeyRow } from './api-key.entity';

/** The kinds of parties that have keys, and the differences between them. */
export const PARTIES = {
  wholesaler: {
    entity: WholesalerRow,
    column: 'wholesaler_id',
    notFound: 'WHOLESALER_NOT_FOUND',
    issuing: 'wholesaler-key.issue',
  },
  provider: {
    entity: PaymentProviderRow,
    column: 'payment_provider_id',
    notFound: 'PROVIDER_NOT_FOUND',
    issuing: 'provider-key.issue',
  },
} as const;

/** The party that a key belongs to. */
export interface KeyOwner {
  kind: keyof typeof PARTIES;
  id: string;
}

/** @throws AppError WHOLESALER_NOT_FOUND, PROVIDER_NOT_FOUND */
export async function requireParty({ manager }: Db, { kind, id }: KeyOwner): Promise<void> {
  const { entity, notFound } = PARTIES[kind];
  const isKnown = await manager.existsBy<WholesalerRow | PaymentProviderRow>(entity, { id });
  if (!isKnown) throw new AppError(notFound);
}

const issuedKeyAnswer = t.object('IssuedApiKey', {
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

@DescribedAs(issuedKeyAnswer.properties)
class IssueApiKeyBody extends AskedReasonBody {
  /** The scopes of the key; without them it has all scopes of its kind. */
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsString({ each: true })
  scopes?: string[];

  /** A moment with its offset, such as 2027-01-31T00:00:00Z. */
  @IsOptional()
  @IsRFC3339()
  expiresAt?: string;
}

/** Shared by the two endpoints that issue a key. */
const issuing = {
  tag: 'Credentials',
  scope: 'admin',
  description:
    'Shown once. Several keys may be valid at the same time, so that one can replace another.',
  body: IssueApiKeyBody,
  bodyOptional: true,
  once: true,
  shownOnce: ['apiKey'],
  mayWait: true,
  status: 201,
  answer: t.object('ApiKey', { apiKeyId: fields.apiKeyId, apiKey: fields.apiKey }),
  handle: issueApiKey,
  present: ({ apiKeyId, apiKey }: IssuedApiKey) => ({ apiKeyId, apiKey }),
} as const;

export const issueWholesalerKeyEndpoint = endpoint({
  ...issuing,
  id: 'issueWholesalerKey',
  as: 'wholesalers.issueKey',
  route: 'POST /v1/admin/wholesalers/:wholesalerId/api-keys',
  summary: 'Issue a key of a wholesaler',
  bodyExample: { scopes: ['transactions:read'], expiresAt: '2028-01-31T00:00:00Z' },
  errors: ['WHOLESALER_NOT_FOUND'],
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    reason: body.reason ?? null,
    terms: termsOf(body, 'wholesaler', context),
    owner: { kind: 'wholesaler' as const, id: id('wholesalerId', 'WHOLESALER_NOT_FOUND') },
  }),
});

export const issueProviderKeyEndpoint = endpoint({
  ...issuing,
  id: 'issueProviderKey',
  as: 'paymentProviders.issueKey',
  route: 'POST /v1/admin/payment-providers/:paymentProviderId/api-keys',
  summary: 'Issue a key of a payment provider',
  bodyExample: { expiresAt: '2028-01-31T00:00:00Z' },
  errors: ['PROVIDER_NOT_FOUND'],
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    reason: body.reason ?? null,
    terms: termsOf(body, 'provider', context),
    owner: { kind: 'provider' as const, id: id('paymentProviderId', 'PROVIDER_NOT_FOUND') },
  }),
});

/** @throws ValidationError for a scope that keys of this kind cannot have, and for a past moment */
function termsOf(
  { scopes, expiresAt }: IssueApiKeyBody,
  kind: KeyOwner['kind'],
  { clock }: Context,
): KeyTerms {
  const allowed: readonly Scope[] = SCOPES_OF_KIND[kind];
  const known = scopes?.filter((scope): scope is Scope => allowed.some((one) => one === scope));
  if (known?.length !== scopes?.length) {
    throw new ValidationError([`each value in scopes must be one of ${allowed.join(', ')}`]);
  }
  return {
    scopes: known ?? null,
    expiresAt: expiresAt === undefined ? null : futureMoment(expiresAt, clock.now()),
  };
}

/**
 * One more key for a wholesaler or a payment provider; the others stay valid, for rotation. A
 * person's request waits for a second one.
 */
async function issueApiKey(
  context: Context,
  {
    by,
    owner,
    terms,
    reason,
  }: { by: Caller; owner: KeyOwner; terms: KeyTerms; reason: string | null },
): Promise<IssuedApiKey | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    await requireParty(tx, owner);
    if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addApiKey(context, tx, { by, owner, terms });
    }
    return requestChange(tx, {
      by,
      kind: PARTIES[owner.kind].issuing,
      targetId: owner.id,
      payload: terms,
      reason,
    });
  });
}

/** Inserts a new key of a party that exists, and audits it. */
export async function addApiKey(
  context: Context,
  tx: Transaction,
  { by, owner, terms, auditDetails = {} }: AuditedBy & { owner: KeyOwner; terms: KeyTerms },
): Promise<IssuedApiKey> {
  const key = await insertApiKey(context, tx, owner, terms);
  await recordAudit(tx, {
    by,
    action: 'api-key.issued',
    objectId: owner.id,
    details: { apiKeyId: key.apiKeyId, ...terms, ...auditDetails },
  });
  return key;
}

/** A key as it is shown, once: only its hash is kept. */
export interface IssuedApiKey {
  apiKeyId: string;
  apiKey: string;
}

export interface KeyTerms {
  /** Null is all that keys of its kind may. */
  scopes: Scope[] | null;
  /** Null is never. */
  expiresAt: Date | null;
}

/** Inserts a new key of a party. */
export async function insertApiKey(
  { config }: Context,
  tx: Transaction,
  owner: KeyOwner,
  { scopes, expiresAt }: KeyTerms = { scopes: null, expiresAt: null },
): Promise<IssuedApiKey> {
  const { apiKey, keyHash } = newApiKey(config.FIADO_MODE);
  const apiKeyId = newId();
  await tx.manager.insert(ApiKeyRow, {
    id: apiKeyId,
    kind: owner.kind,
    wholesalerId: owner.kind === 'wholesaler' ? owner.id : null,
    paymentProviderId: owner.kind === 'provider' ? owner.id : null,
    keyHash,
    scopes,
    expiresAt,
  });
  return { apiKeyId, apiKey };
}

/** Shared by the two lists. */
const listing = {
  tag: 'Credentials',
  scope: 'viewer',
  description: 'Newest first, including revoked and expired ones. No key is shown.',
  query: PageQuery,
  page: 'ApiKeyPage',
  items: { apiKeys: t.field(issuedKeyAnswer, 'Keys of the party, newest first') },
  example: {
    scopes: ['transactions:read'],
    expiresAt: '2028-01-31T00:00:00.000Z',
    revokedAt: null,
    lastUsedAt: null,
  },
  columns: ['apiKeyId', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt'],
  find: async ({ db }: Context, { owner, ...asked }: { owner: KeyOwner } & AskedPage) => {
    await requireParty(db, owner);
    return pageOfRows<IssuedKey>(db, asked, {
      select: 'SELECT id, scopes, expires_at, revoked_at, last_used_at, created_at FROM api_keys',
      from: 'api_keys',
      of: { [PARTIES[owner.kind].column]: owner.id },
    });
  },
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
    owner: { kind: 'wholesaler' as const, id: id('wholesalerId', 'WHOLESALER_NOT_FOUND') },
  }),
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
    owner: { kind: 'provider' as const, id: id('paymentProviderId', 'PROVIDER_NOT_FOUND') },
  }),
});

/** A key of a wholesaler or a payment provider, without its hash. */
interface IssuedKey extends Pick<ApiKeyRow, 'id' | 'expiresAt' | 'revokedAt' | 'createdAt'> {
  /** Null is all that keys of its kind may. */
  scopes: ApiKeyRow['scopes'];
  /** Exact to a minute. */
  lastUsedAt: ApiKeyRow['lastUsedAt'];
}
