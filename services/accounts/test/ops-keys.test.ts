import type { Caller } from '@fiado/contracts/caller';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import type { Answer } from '@fiado/chassis/testing/call';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { forAllTests } from '../../../test/support/for-all-tests';
import { createCustomer, createWholesaler, startAccounts } from './support/accounts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OPS_KEYS = '/v1/admin/ops-keys';
const STORES = '/v1/admin/corner-stores';

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('named keys of ops', () => {
  const accounts = forAllTests(startAccounts);

  function check(credential: string): Promise<Answer> {
    return accounts.call(service('gateway'), 'POST', '/internal/credentials/check', {
      body: { credential },
    });
  }

  function issue(body: object, by: Caller = ops()): Promise<Answer> {
    return accounts.call(by, 'POST', OPS_KEYS, { body });
  }

  async function newOpsKey(
    scope: string,
  ): Promise<{ opsKeyId: string; apiKey: string; caller: Caller }> {
    const { status, body } = await issue({ name: 'Ana', scope, expiresAt: inDays(90) });
    expect(status).toBe(201);
    return { ...body, caller: (await check(body.apiKey)).body.caller };
  }

  function auditOf(objectId: string): Promise<{ actor_id: string; action: string }[]> {
    return accounts.rows(
      'SELECT actor_id, action FROM audit_log WHERE object_id = $1 ORDER BY occurred_at, id',
      [objectId],
    );
  }

  it.each([
    ['viewer', ['viewer']],
    ['operator', ['viewer', 'operator']],
    ['approver', ['viewer', 'operator', 'approver']],
    ['admin', ['viewer', 'operator', 'approver', 'admin']],
  ])('%s has its own caller and all rights of the lower scopes', async (scope, scopes) => {
    const { opsKeyId, caller } = await newOpsKey(scope);
    expect(caller).toEqual({ kind: 'ops', id: opsKeyId, name: 'Ana', scopes, keyId: opsKeyId });
  });

  it('OPS_API_KEY is the first admin', async () => {
    const { caller } = (await check(TEST_ENVIRONMENT.OPS_API_KEY)).body;
    expect(caller).toMatchObject({ kind: 'ops', id: 'ops', scopes: ops('admin').scopes });
  });

  it('a key is shown once, and listed with its expiry and its last use', async () => {
    const { opsKeyId, apiKey } = await newOpsKey('viewer');
    const listed = async (): Promise<Record<string, unknown>> => {
      const { body } = await accounts.call(ops(), 'GET', OPS_KEYS);
      return body.opsKeys[0];
    };

    expect(apiKey).toMatch(/^fiado_test_[\w-]{43}$/);
    await until('the use is noted', async () => (await listed()).lastUsedAt !== null);
    expect(await listed()).toEqual({
      opsKeyId,
      name: 'Ana',
      scope: 'viewer',
      expiresAt: expect.stringMatching(/Z$/),
      revokedAt: null,
      lastUsedAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    });
    const dump = JSON.stringify(await accounts.rows('SELECT k::text FROM ops_keys k'));
    expect(dump).not.toContain(apiKey);
  });

  it('the list comes in pages', async () => {
    await newOpsKey('viewer');
    await newOpsKey('viewer');
    const first = await accounts.call(ops(), 'GET', `${OPS_KEYS}?limit=1`);
    const { nextCursor } = first.body;
    const second = await accounts.call(ops(), 'GET', `${OPS_KEYS}?limit=1&cursor=${nextCursor}`);
    expect(second.body.opsKeys[0].opsKeyId).not.toBe(first.body.opsKeys[0].opsKeyId);
  });

  it('an expired and a revoked key are unauthorized, with their access tokens', async () => {
    const expired = await newOpsKey('admin');
    const revoked = await newOpsKey('admin');
    const credentials: string[] = [];
    for (const { apiKey, caller } of [expired, revoked]) {
      const { body } = await accounts.call(caller, 'POST', '/v1/auth/token');
      expect((await check(body.accessToken)).body.caller).toEqual({ ...caller, keyId: undefined });
      credentials.push(apiKey, body.accessToken);
    }

    await accounts.rows('UPDATE ops_keys SET expires_at = now() WHERE id = $1', [expired.opsKeyId]);
    const path = `${OPS_KEYS}/${revoked.opsKeyId}`;
    expect((await accounts.call(ops(), 'DELETE', path)).status).toBe(204);
    expect((await accounts.call(ops(), 'DELETE', path)).status).toBe(204);

    for (const credential of credentials) {
      expect((await check(credential)).body.errorCode).toBe('UNAUTHORIZED');
    }
    expect(await auditOf(revoked.opsKeyId)).toEqual([
      { actor_id: 'ops', action: 'ops-key.issued' },
      { actor_id: 'ops', action: 'ops-key.revoked' },
    ]);
  });

  it('actions of a key are audited under its id', async () => {
    const { opsKeyId, caller } = await newOpsKey('admin');
    const { wholesalerId } = (
      await accounts.call(caller, 'POST', '/v1/admin/wholesalers', { body: { name: 'Norte' } })
    ).body;
    expect(await auditOf(wholesalerId)).toEqual([
      { actor_id: opsKeyId, action: 'wholesaler.created' },
    ]);
  });

  it('a wholesaler has no key with a scope of ops, whatever its token says', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const path = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
    const issued = await accounts.call(ops(), 'POST', path, { body: { scopes: ['admin'] } });
    expect(issued.status).toBe(400);
    const forged: Caller = { ...wholesaler(), scopes: ['admin'] };
    expect((await issue({ name: 'x', scope: 'admin', expiresAt: inDays(1) }, forged)).status).toBe(
      403,
    );
  });

  it.each([
    [{ scope: 'root' }],
    [{ scope: ['admin'] }],
    [{ scope: undefined }],
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ expiresAt: undefined }],
    [{ expiresAt: inDays(-1) }],
    [{ expiresAt: inDays(367) }],
    [{ scopes: ['viewer'] }],
  ])('a key is not issued with %j', async (wrong) => {
    const body = { name: 'Ana', scope: 'viewer', expiresAt: inDays(1), ...wrong };
    expect((await issue(body)).status).toBe(400);
  });

  it('an unknown key is not found', async () => {
    for (const id of ['3fa85f64-5717-4562-b3fc-2c963f66afa6', 'none']) {
      const { status, body } = await accounts.call(ops(), 'DELETE', `${OPS_KEYS}/${id}`);
      expect([status, body.errorCode]).toEqual([404, 'OPS_KEY_NOT_FOUND']);
    }
  });

  describe('reading corner stores', () => {
    const listed = async (caller: Caller, wholesalerId: string) =>
      (await accounts.call(caller, 'GET', `${STORES}?wholesalerId=${wholesalerId}`)).body
        .cornerStores[0];
    const readsBy = (actorId: string) =>
      accounts.rows<{ details: object }>(
        `SELECT details FROM audit_log WHERE actor_id = $1 AND action = 'corner-stores.listed'`,
        [actorId],
      );

    it('an operator sees personal data, and the read is audited', async () => {
      const { wholesalerId } = await createWholesaler(accounts);
      const customer = await createCustomer(accounts, wholesalerId);
      const { caller } = await newOpsKey('operator');

      expect(await listed(caller, wholesalerId)).toMatchObject({
        firstName: customer.firstName,
        phoneNumber: customer.phoneNumber,
      });
      expect(await readsBy(caller.id)).toEqual([
        { details: { cornerStoreIds: [customer.cornerStoreId] } },
      ]);
    });

    it('a viewer sees no name, phone or address', async () => {
      const { wholesalerId } = await createWholesaler(accounts);
      const customer = await createCustomer(accounts, wholesalerId, {
        firstName: 'Ana María',
        lastNames: 'Ruiz Peña',
      });
      const { caller } = await newOpsKey('viewer');

      const store = await listed(caller, wholesalerId);
      expect(store).toMatchObject({
        cornerStoreId: customer.cornerStoreId,
        firstName: 'A. M.',
        lastNames: 'R. P.',
        phoneNumber: `********${customer.phoneNumber.slice(-4)}`,
        cornerStoreName: null,
        information: null,
      });
      expect(await readsBy(caller.id)).toEqual([]);

      const path = `${STORES}/${customer.cornerStoreId}`;
      expect((await accounts.call(caller, 'GET', `${path}/documents`)).status).toBe(403);
      expect((await accounts.call(caller, 'POST', `${path}/approve`)).status).toBe(403);
    });
  });
});
