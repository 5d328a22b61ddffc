import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { ACCESS_TOKEN_LIFE_SECONDS, signAccessToken } from './access-token';

export const issueAccessTokenEndpoint = endpoint({
  id: 'issueAccessToken',
  as: 'auth.createToken',
  tag: 'Credentials',
  route: 'POST /v1/auth/token',
  scope: 'any',
  summary: 'Exchange a key for an access token',
  description: 'The token ends with its key. A token cannot be exchanged for another one (401).',
  answer: t.object('AccessToken', {
    accessToken: t.field(t.text, 'Token for the header `Authorization`', 'eyJhbGciOiJFZERTQSJ9.…'),
    tokenType: t.field(t.constant('Bearer'), 'Scheme of the header', 'Bearer'),
    expiresIn: t.field(t.count, 'Life of the token. Seconds', 3600),
  }),
  // The body is ignored: the credential is the key.
  input: ({ caller }) => caller,
  // Turns the key that was called with into an access token of one hour.
  handle: async ({ lanes, clock, accessTokenKeys }: Context, by) => {
    const { id: ownerId, kind, keyId } = by;
    if (keyId === undefined) throw new AppError('UNAUTHORIZED');

    const { signing, opsKeyIds } = accessTokenKeys;
    const isLive = opsKeyIds.includes(keyId) || (await lanes.keysById.add(keyId))?.isLive === true;
    if (!isLive) throw new AppError('UNAUTHORIZED');
    return signAccessToken(signing, { ownerId, kind, keyId }, clock.now());
  },
  present: (accessToken) => ({
    accessToken,
    tokenType: 'Bearer',
    expiresIn: ACCESS_TOKEN_LIFE_SECONDS,
  }),
});
