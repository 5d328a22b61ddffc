import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { ACCESS_TOKEN_LIFE_SECONDS } from '../domain/access-token';
import { issueAccessToken } from '../use-cases/issue-access-token';

export const issueAccessTokenEndpoint = endpoint({
  id: 'issueAccessToken',
  tag: 'Credentials',
  route: 'POST /v1/auth/token',
  scope: 'any',
  summary: 'Exchange a key for an access token',
  description: 'The token ends with its key. A token cannot be exchanged for another one (401).',
  answer: t.object('AccessToken', {
    accessToken: t.text,
    tokenType: t.constant('Bearer'),
    expiresIn: { ...t.count, description: 'Seconds' },
  }),
  example: { accessToken: 'eyJhbGciOiJFZERTQSJ9.…', tokenType: 'Bearer', expiresIn: 3600 },
  // The body is ignored: the credential is the key.
  input: ({ caller }) => caller,
  handle: issueAccessToken,
  present: (accessToken) => ({
    accessToken,
    tokenType: 'Bearer',
    expiresIn: ACCESS_TOKEN_LIFE_SECONDS,
  }),
});
