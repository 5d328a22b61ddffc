import { count, object, text, uuid } from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { IssueApiKeyBody } from '../issue-api-key';

export const exampleKey = {
  apiKeyId: 'a1b2c3d4-e5f6-4789-9abc-def012345678',
  apiKey: 'fiado_live_…',
};

export const issueAccessToken: Operation = {
  id: 'issueAccessToken',
  tag: 'Credentials',
  summary: 'Turn a key into an access token',
  description: 'The token ends with its key. A token is not turned into another one (401).',
  answer: {
    status: 200,
    schema: object('AccessToken', {
      accessToken: text,
      tokenType: { type: 'string', const: 'Bearer' },
      expiresIn: { ...count, description: 'Seconds' },
    }),
    example: { accessToken: 'eyJhbGciOiJFZERTQSJ9.…', tokenType: 'Bearer', expiresIn: 3600 },
  },
};

const issueApiKey = {
  tag: 'Credentials',
  description: 'Shown once. Several keys live side by side, so that one can follow another.',
  body: IssueApiKeyBody,
  bodyOptional: true,
  refusesUnknownFields: true,
  answer: {
    status: 201,
    schema: object('ApiKey', { apiKeyId: uuid, apiKey: text }),
    example: exampleKey,
  },
} as const satisfies Partial<Operation>;

export const issueWholesalerKey: Operation = {
  ...issueApiKey,
  id: 'issueWholesalerKey',
  summary: 'Issue a key of a wholesaler',
  bodyExample: { scopes: ['transactions:read'], expiresAt: '2028-01-31T00:00:00Z' },
  errors: ['WHOLESALER_NOT_FOUND'],
};

export const issueProviderKey: Operation = {
  ...issueApiKey,
  id: 'issueProviderKey',
  summary: 'Issue a key of a payment provider',
  bodyExample: { expiresAt: '2028-01-31T00:00:00Z' },
  errors: ['PROVIDER_NOT_FOUND'],
};

export const revokeApiKey: Operation = {
  id: 'revokeApiKey',
  tag: 'Credentials',
  summary: 'Revoke a key',
  description: 'Counts everywhere within 5 seconds.',
  answer: { status: 204 },
  errors: ['API_KEY_NOT_FOUND'],
};
