import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { ops, service } from '@fiado/chassis/testing/callers';
import { testSigningKey } from '@fiado/chassis/testing/process-keys';
import type { Answer, Call } from '@fiado/chassis/testing/call';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { signAccessToken } from '../src/keys/access-token';
import { createWholesaler, startAccounts, type Accounts } from './support/accounts';

const HOUR_MS = 3600_000;
const NEXT_KEY = testSigningKey('access tokens after these');

describe('access tokens', () => {
  let accounts: Accounts;
  let now: number;

  beforeAll(async () => {
    accounts = await startAccounts({
      clock: { now: () => new Date(now) },
      config: { ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS: NEXT_KEY },
    });
  });
  beforeEach(() => {
    now = Date.now();
  });
  afterAll(() => accounts.stop());

  function check(credential: string, call: Call = accounts.call): Promise<Answer> {
    return call(service('gateway'), 'POST', '/internal/credentials/check', {
      body: { credential },
    });
  }

  /** Calls as the gateway does: checks the credential, then calls as its owner. */
  async function exchange(credential: string, call: Call = accounts.call): Promise<Answer> {
    const { caller } = (await check(credential)).body as { caller: Caller };
    return call(caller, 'POST', '/v1/auth/token');
  }

  async function tokenOf(credential: string): Promise<string> {
    const { status, body } = await exchange(credential);
    expect(status).toBe(200);
    return body.accessToken;
  }

  it('a key is exchanged for a token of its caller, with its scopes', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const path = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
    const key = await accounts.call(ops(), 'POST', path, {
      body: { scopes: ['transactions:read'] },
    });
    const answer = await exchange(key.body.apiKey);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 3600,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await check(answer.body.accessToken)).body).toEqual({
      caller: {
        kind: 'wholesaler',
        id: wholesalerId,
        name: 'Abarrotes del Norte',
        scopes: ['transactions:read'],
      },
    });
  });

  it('ends after an hour', async () => {
    const { apiKey } = await createWholesaler(accounts);
    const token = await tokenOf(apiKey);
    now += HOUR_MS - 2_000;
    expect((await check(token)).status).toBe(200);
    now += 2_000;
    expect((await check(token)).body.errorCode).toBe('UNAUTHORIZED');
  });

  it('ends with its key', async () => {
    const { apiKey, apiKeyId } = await createWholesaler(accounts);
    const caller = (await check(apiKey)).body.caller as Caller;
    const token = await tokenOf(apiKey);
    await accounts.call(ops(), 'DELETE', `/v1/admin/api-keys/${apiKeyId}`);
    expect((await check(token)).status).toBe(401);
    // The gateway may still trust the key for some seconds.
    expect((await accounts.call(caller, 'POST', '/v1/auth/token')).status).toBe(401);
  });

  it('is not exchanged for another token', async () => {
    const { apiKey } = await createWholesaler(accounts);
    for (const credential of [apiKey, TEST_ENVIRONMENT.OPS_API_KEY]) {
      const again = await exchange(await tokenOf(credential));
      expect([again.status, again.body.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  it('of ops ends when the ops key is replaced', async () => {
    const token = await tokenOf(TEST_ENVIRONMENT.OPS_API_KEY);
    expect((await check(token)).body.caller).toEqual(ops());
    const other = await accounts.startOther({
      OPS_API_KEY: 'fiado_test_another-ops-key-0123456789',
    });
    expect((await check(token, other.call)).status).toBe(401);
    await other.stop();
  });

  it('is valid at every process while its key is exchanged, and not once it is gone', async () => {
    const old = { ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS: TEST_ENVIRONMENT.ACCESS_TOKEN_PRIVATE_KEY };
    const after = await accounts.startOther({ ACCESS_TOKEN_PRIVATE_KEY: NEXT_KEY, ...old });
    const end = await accounts.startOther({
      ACCESS_TOKEN_PRIVATE_KEY: NEXT_KEY,
      ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS: undefined,
    });
    const { apiKey } = await createWholesaler(accounts);
    for (const credential of [apiKey, TEST_ENVIRONMENT.OPS_API_KEY]) {
      const before = await tokenOf(credential);
      expect((await check(before, after.call)).status).toBe(200);
      expect((await check(before, end.call)).status).toBe(401);
      // The key is checked by one process, and exchanged by another.
      const { accessToken } = (await exchange(credential, after.call)).body;
      expect((await check(accessToken)).status).toBe(200);
      expect((await check(accessToken, after.call)).status).toBe(200);
    }
    await end.stop();
    await after.stop();
  });

  describe('forged', () => {
    const encode = (part: object): string =>
      Buffer.from(JSON.stringify(part)).toString('base64url');
    let token: string;
    let payload: Record<string, unknown>;

    beforeEach(async () => {
      token = await tokenOf((await createWholesaler(accounts)).apiKey);
      payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    });

    it.each(['none', 'None', 'HS256', 'RS256', 'ES256'])('by the algorithm %s', async (alg) => {
      const signed = `${encode({ alg, typ: 'JWT' })}.${encode(payload)}`;
      const publicKey = createPublicKey(
        createPrivateKey(Buffer.from(TEST_ENVIRONMENT.ACCESS_TOKEN_PRIVATE_KEY, 'base64')),
      ).export({ type: 'spki', format: 'pem' });
      const hmac = createHmac('sha256', publicKey).update(signed).digest('base64url');
      for (const signature of [hmac, token.split('.')[2], 'AAAA']) {
        expect((await check(`${signed}.${signature}`)).status).toBe(401);
      }
    });

    it('by another key, and by another payload under an old signature', async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const claims = {
        ownerId: 'x',
        kind: 'ops',
        keyId: accounts.context.accessTokenKeys.opsKeyIds[0],
      };
      const foreign = await signAccessToken({ privateKey, publicKey }, claims, new Date(now));
      expect((await check(foreign)).status).toBe(401);
      const [header, , signature] = token.split('.');
      const changed = encode({ ...payload, exp: 9_999_999_999 });
      expect((await check(`${header}.${changed}.${signature}`)).status).toBe(401);
      for (const broken of ['a.b.c', `${token}.`, `${header}.${signature}`]) {
        expect((await check(broken)).status).toBe(401);
      }
    });
  });
});
