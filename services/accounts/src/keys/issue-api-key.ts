import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsRFC3339,
  IsString,
} from 'class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DescribedAs } from '@fiado/contracts/about';
import { type Caller, type Scope, SCOPES_OF_KIND } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { requestChange } from '../approvals/request-change';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { exampleKey } from '../examples';
import { futureMoment } from '../request-fields';
import { issuedKeyAnswer } from './list-api-keys';
import { newApiKey } from './secrets';
import { PaymentProviderRow } from '../providers/payment-provider.entity';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';
import { ApiKeyRow } from './api-key.entity';

@DescribedAs(issuedKeyAnswer.properties)
class IssueApiKeyBody {
  /** What the key allows; left out, all that keys of its kind may. */
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

/** What both endpoints have in common. */
const issuing = {
  tag: 'Credentials',
  scope: 'admin',
  description:
    'Shown once. Several keys may be valid at the same time, so that one can replace another.',
  body: IssueApiKeyBody,
  bodyOptional: true,
  mayWait: true,
  status: 201,
  answer: t.object('ApiKey', { apiKeyId: fields.apiKeyId, apiKey: fields.apiKey }),
  example: exampleKey,
} as const;

export const issueWholesalerKeyEndpoint = endpoint({
  ...issuing,
  id: 'issueWholesalerKey',
  as: 'wholesalers.issueKey',
  once: true,
  shownOnce: ['apiKey'],
  route: 'POST /v1/admin/wholesalers/:wholesalerId/api-keys',
  summary: 'Issue a key of a wholesaler',
  bodyExample: { scopes: ['transactions:read'], expiresAt: '2028-01-31T00:00:00Z' },
  errors: ['WHOLESALER_NOT_FOUND'],
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    terms: termsOf(body, 'wholesaler', context),
    owner: { kind: 'wholesaler' as const, id: id('wholesalerId', 'WHOLESALER_NOT_FOUND') },
  }),
  handle: issueApiKey,
  present: ({ apiKeyId, apiKey }) => ({ apiKeyId, apiKey }),
});

export const issueProviderKeyEndpoint = endpoint({
  ...issuing,
  id: 'issueProviderKey',
  as: 'paymentProviders.issueKey',
  once: true,
  shownOnce: ['apiKey'],
  route: 'POST /v1/admin/payment-providers/:paymentProviderId/api-keys',
  summary: 'Issue a key of a payment provider',
  bodyExample: { expiresAt: '2028-01-31T00:00:00Z' },
  errors: ['PROVIDER_NOT_FOUND'],
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    terms: termsOf(body, 'provider', context),
    owner: { kind: 'provider' as const, id: id('paymentProviderId', 'PROVIDER_NOT_FOUND') },
  }),
  handle: issueApiKey,
  present: ({ apiKeyId, apiKey }) => ({ apiKeyId, apiKey }),
});

/** @throws ValidationError for a scope that keys of this kind cannot have, and for a past moment */
function termsOf(
  { scopes, expiresAt }: IssueApiKeyBody,
  kind: 'wholesaler' | 'provider',
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
 * @throws AppError WHOLESALER_NOT_FOUND, PROVIDER_NOT_FOUND
 */
async function issueApiKey(
  context: Context,
  { by, owner, terms }: { by: Caller; owner: KeyOwner; terms: KeyTerms },
): Promise<IssuedApiKey | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    if (owner.kind === 'wholesaler') {
      const known = await tx.manager.existsBy(WholesalerRow, { id: owner.id });
      if (!known) throw new AppError('WHOLESALER_NOT_FOUND');
    } else {
      const known = await tx.manager.existsBy(PaymentProviderRow, { id: owner.id });
      if (!known) throw new AppError('PROVIDER_NOT_FOUND');
    }
    if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addApiKey(context, tx, { by, owner, terms });
    }
    return requestChange(tx, {
      by,
      kind: owner.kind === 'wholesaler' ? 'wholesaler-key.issue' : 'provider-key.issue',
      targetId: owner.id,
      payload: terms,
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

/** The party that a key belongs to. */
export interface KeyOwner {
  kind: 'wholesaler' | 'provider';
  id: string;
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
