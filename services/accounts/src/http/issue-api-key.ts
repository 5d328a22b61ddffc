import { endpoint } from '@fiado/chassis/http/endpoint';
import { ValidationError } from '@fiado/contracts/errors';
import { SCOPES_OF_KIND, type Scope } from '@fiado/contracts/scopes';
import * as t from '@fiado/chassis/openapi/json-schema';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsRFC3339,
  IsString,
} from 'class-validator';
import type { Context } from '../context';
import type { KeyTerms } from '../steps/insert-api-key';
import { issueApiKey } from '../use-cases/issue-api-key';
import { exampleKey } from './examples';
import { futureMoment } from './request-fields';

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
  answer: t.object('ApiKey', { apiKeyId: t.uuid, apiKey: t.text }),
  example: exampleKey,
} as const;

export const issueWholesalerKeyEndpoint = endpoint({
  ...issuing,
  id: 'issueWholesalerKey',
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
