import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@fiado/chassis/testing/until';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { forAllTests } from '../../../test/support/for-all-tests';
import { createWholesaler, startAccounts } from './support/accounts';

describe('credentials', () => {
  const accounts = forAllTests(startAccounts);

  function check(credential: unknown): Promise<Answer> {
    return accounts.call(service('gateway'), 'POST', '/internal/credentials/check', {
      body: { credential },
    });
  }

  it('a wholesaler is identified by its key, whose hash alone is stored', async () => {
    const { wholesalerId, apiKey, apiKeyId } = await createWholesaler(accounts);

    expect(apiKey).toMatch(/^fiado_test_[\w-]{43}$/);
    expect((await check(apiKey)).body).toEqual({
      caller: {
        kind: 'wholesaler',
        id: wholesalerId,
        name: 'Abarrotes del Norte',
        scopes: SCOPES_OF_KIND.wholesaler,
        keyId: apiKeyId,
      },
    });
    const dump = JSON.stringify(await accounts.rows('SELECT k::text FROM api_keys k'));
    expect(dump).not.toContain(apiKey);
  });

  it('a provider is identified by its key, with its time zone', async () => {
    const { status, body } = await accounts.call(ops(), 'POST', '/v1/admin/payment-providers', {
      body: { name: 'Passport', timeZone: 'America/Tijuana' },
    });
    expect(status).toBe(201);
    expect((await check(body.apiKey)).body.caller).toEqual({
      kind: 'provider',
      id: body.paymentProviderId,
      name: 'Passport',
      scopes: SCOPES_OF_KIND.provider,
      keyId: body.apiKeyId,
      timeZone: 'America/Tijuana',
    });
  });

  it('refuses a taken provider name and an unknown time zone', async () => {
    const path = '/v1/admin/payment-providers';
    const first = await accounts.call(ops(), 'POST', path, { body: { name: 'OXXO' } });
    expect(first.status).toBe(201);
    expect(first.body.timeZone).toBe('America/Mexico_City');

    const duplicate = await accounts.call(ops(), 'POST', path, { body: { name: 'OXXO' } });
    expect([duplicate.status, duplicate.body.errorCode]).toEqual([409, 'PROVIDER_ALREADY_EXISTS']);

    const nowhere = await accounts.call(ops(), 'POST', path, {
      body: { name: 'SPEI', timeZone: 'Mars/Olympus' },
    });
    expect(nowhere.body).toEqual({
      statusCode: 400,
      message: ['timeZone must be the IANA name of a time zone'],
      error: 'Bad Request',
    });
  });

  it('the ops key is the one of the configuration', async () => {
    expect((await check(TEST_ENVIRONMENT.OPS_API_KEY)).body.caller.kind).toBe('ops');
  });

  it('an unknown, a revoked and an expired key are unauthorized', async () => {
    const { apiKey, apiKeyId, wholesalerId } = await createWholesaler(accounts);
    const path = `/v1/admin/api-keys/${apiKeyId}`;

    expect((await accounts.call(ops(), 'DELETE', path)).status).toBe(204);
    expect((await accounts.call(ops(), 'DELETE', path)).status).toBe(204);
    expect((await check(apiKey)).body.errorCode).toBe('UNAUTHORIZED');
    expect((await check('fiado_test_nothing')).status).toBe(401);

    const second = await accounts.call(
      ops(),
      'POST',
      `/v1/admin/wholesalers/${wholesalerId}/api-keys`,
      {
        body: { expiresAt: new Date(Date.now() + 60_000).toISOString() },
      },
    );
    expect(second.status).toBe(201);
    expect(Object.keys(second.body)).toEqual(['apiKeyId', 'apiKey']);
    expect((await check(second.body.apiKey)).status).toBe(200);
    await accounts.rows(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [
      second.body.apiKeyId,
    ]);
    expect((await check(second.body.apiKey)).status).toBe(401);
  });

  it('several keys of one wholesaler are valid at the same time', async () => {
    const { wholesalerId, apiKey } = await createWholesaler(accounts);
    const second = await accounts.call(
      ops(),
      'POST',
      `/v1/admin/wholesalers/${wholesalerId}/api-keys`,
    );
    expect(second.status).toBe(201);
    expect((await check(apiKey)).status).toBe(200);
    expect((await check(second.body.apiKey)).status).toBe(200);
  });

  it.each(['2020-01-01T00:00:00Z', '2099-02-31T00:00:00Z', 'soon', 5])(
    'a key cannot expire at %s',
    async (expiresAt) => {
      const { wholesalerId } = await createWholesaler(accounts);
      const path = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
      const { status } = await accounts.call(ops(), 'POST', path, { body: { expiresAt } });
      expect(status).toBe(400);
    },
  );

  it('a key allows its scopes, and without any every scope of its kind', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const path = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
    const { body } = await accounts.call(ops(), 'POST', path, {
      body: { scopes: ['corner-stores:read', 'payments:read'] },
    });
    const { caller } = (await check(body.apiKey)).body;
    expect(caller.scopes).toEqual(['corner-stores:read', 'payments:read']);

    const start = '/v1/account/3fa85f64-5717-4562-b3fc-2c963f66afa6/verification';
    const refused = await accounts.call(caller, 'POST', start, { body: {} });
    expect([refused.status, refused.body.errorCode]).toEqual([403, 'FORBIDDEN']);
    const lookUp = await accounts.call(caller, 'GET', '/v1/corner-store/external/none');
    expect(lookUp.body.errorCode).toBe('CORNER_STORE_NOT_FOUND');
  });

  it.each([
    [[]],
    [['transactions:read', 'transactions:read']],
    [['deposits:write']],
    [['*']],
    ['x'],
  ])('a wholesaler has no key with the scopes %j', async (scopes) => {
    const { wholesalerId } = await createWholesaler(accounts);
    const path = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
    const { status } = await accounts.call(ops(), 'POST', path, { body: { scopes } });
    expect(status).toBe(400);
  });

  it('a provider may have several keys too', async () => {
    const path = '/v1/admin/payment-providers';
    const { body } = await accounts.call(ops(), 'POST', path, { body: { name: 'Kiosko' } });
    const keys = `${path}/${body.paymentProviderId}/api-keys`;
    const second = await accounts.call(ops(), 'POST', keys, {
      body: { scopes: ['deposits:write'] },
    });
    expect(second.status).toBe(201);
    for (const apiKey of [body.apiKey, second.body.apiKey]) {
      expect((await check(apiKey)).body.caller.id).toBe(body.paymentProviderId);
    }
    const unknown = await accounts.call(ops(), 'POST', `${path}/none/api-keys`);
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 'PROVIDER_NOT_FOUND']);
  });

  it('keys of unknown wholesalers and unknown keys are not found', async () => {
    for (const id of ['3fa85f64-5717-4562-b3fc-2c963f66afa6', 'none']) {
      const issued = await accounts.call(ops(), 'POST', `/v1/admin/wholesalers/${id}/api-keys`);
      expect([issued.status, issued.body.errorCode]).toEqual([404, 'WHOLESALER_NOT_FOUND']);
      const revoked = await accounts.call(ops(), 'DELETE', `/v1/admin/api-keys/${id}`);
      expect([revoked.status, revoked.body.errorCode]).toEqual([404, 'API_KEY_NOT_FOUND']);
    }
  });

  it('the last use is recorded at most once a minute', async () => {
    const { apiKey, apiKeyId } = await createWholesaler(accounts);
    const lastUse = async (): Promise<unknown> => {
      const [row] = await accounts.rows('SELECT last_used_at FROM api_keys WHERE id = $1', [
        apiKeyId,
      ]);
      return row?.last_used_at;
    };
    await check(apiKey);
    for (let i = 0; i < 100 && (await lastUse()) === null; i += 1) await sleep(10);
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);

    await check(apiKey);
    await sleep(100);
    expect(await lastUse()).toEqual(first);

    await accounts.rows(
      `UPDATE api_keys SET last_used_at = now() - interval '61 s' WHERE id = $1`,
      [apiKeyId],
    );
    const longAgo = Number(await lastUse());
    await check(apiKey);
    await until('the use is noted', async () => Number(await lastUse()) > longAgo);
  });

  it('only services check credentials', async () => {
    const asked = await accounts.call(wholesaler(), 'POST', '/internal/credentials/check', {
      body: { credential: 'x' },
    });
    expect([asked.status, asked.body.errorCode]).toEqual([403, 'FORBIDDEN']);
  });
});
