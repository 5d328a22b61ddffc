import { randomUUID } from 'node:crypto';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { approve, createCustomer, createWholesaler, startAccounts } from './support/accounts';

const accounts = forAllTests(startAccounts);

function read(path: string, query: Record<string, string> = {}): Promise<Answer> {
  const text = new URLSearchParams(query).toString();
  return accounts.call(ops('viewer', 'reader'), 'GET', `/v1/admin/${path}?${text}`);
}

/** The rows of every page. */
function allPages(path: string, field: string, query: Record<string, string> = {}) {
  const text = new URLSearchParams(query).toString();
  return rowsOfAll(field, (cursor) =>
    accounts.call(ops('viewer', 'reader'), 'GET', `/v1/admin/${path}?${text}${cursor}`),
  );
}

it('wholesalers are listed newest first, and each is read with its settings', async () => {
  const older = await createWholesaler(accounts, { name: 'Antes', minimumTransactionAmount: 250 });
  const newer = await createWholesaler(accounts, { name: 'Después' });
  const listed = (await allPages('wholesalers', 'wholesalers', { limit: '1' })).map(
    ({ name }) => name,
  );
  expect(listed.indexOf('Después')).toBeLessThan(listed.indexOf('Antes'));
  expect(new Set(listed).size).toBe(listed.length);

  const { status, body } = await read(`wholesalers/${older.wholesalerId}`);
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ name: 'Antes', minimumTransactionAmount: 250, paymentTermDays: 14 }),
  ]);
  expect(body.apiKey).toBeUndefined();
  for (const id of [randomUUID(), 'x']) {
    expect((await read(`wholesalers/${id}`)).body.errorCode).toBe('WHOLESALER_NOT_FOUND');
    expect((await read(`wholesalers/${id}/api-keys`)).body.errorCode).toBe('WHOLESALER_NOT_FOUND');
  }
  expect(newer.wholesalerId).not.toBe(older.wholesalerId);
});

it('the keys of a wholesaler and of a provider are listed without their secrets', async () => {
  const { wholesalerId, apiKey, apiKeyId } = await createWholesaler(accounts);
  const path = `/v1/admin/wholesalers/${wholesalerId}/api-keys`;
  const second = await accounts.call(ops(), 'POST', path, {
    body: { scopes: ['transactions:read'], expiresAt: '2099-01-31T00:00:00Z' },
  });
  await accounts.call(ops(), 'DELETE', `/v1/admin/api-keys/${apiKeyId}`);

  const keys = await allPages(`wholesalers/${wholesalerId}/api-keys`, 'apiKeys', { limit: '1' });
  expect(keys).toEqual([
    {
      apiKeyId: second.body.apiKeyId,
      scopes: ['transactions:read'],
      expiresAt: '2099-01-31T00:00:00.000Z',
      revokedAt: null,
      lastUsedAt: null,
      createdAt: expect.any(String),
    },
    expect.objectContaining({ apiKeyId, scopes: null, revokedAt: expect.any(String) }),
  ]);
  expect(JSON.stringify(keys)).not.toContain(apiKey);
  expect(JSON.stringify(keys)).not.toContain(second.body.apiKey);

  const created = await accounts.call(ops(), 'POST', '/v1/admin/payment-providers', {
    body: { name: `Pagos ${randomUUID()}` },
  });
  const { paymentProviderId, name } = created.body;
  expect((await read(`payment-providers/${paymentProviderId}`)).body).toEqual({
    paymentProviderId,
    name,
    timeZone: 'America/Mexico_City',
    allowedAddresses: [],
    signatureRequired: false,
  });
  expect((await read('payment-providers')).body.paymentProviders[0]).toMatchObject({ name });
  const ofProvider = await read(`payment-providers/${paymentProviderId}/api-keys`);
  expect(ofProvider.body.apiKeys).toHaveLength(1);
  expect((await read(`payment-providers/${randomUUID()}`)).body.errorCode).toBe(
    'PROVIDER_NOT_FOUND',
  );
});

it('customers are filtered by wholesaler, corner store and external id', async () => {
  const [north, south] = [await createWholesaler(accounts), await createWholesaler(accounts)];
  const one = await createCustomer(accounts, north.wholesalerId);
  const shared = await createCustomer(accounts, north.wholesalerId);
  await createCustomer(accounts, south.wholesalerId, {
    phoneNumber: shared.phoneNumber,
    externalId: one.externalId,
  });
  await approve(accounts, shared.cornerStoreId);
  const pairs = async (query: Record<string, string>) =>
    (await allPages('customers', 'customers', { limit: '1', ...query })).map(
      ({ wholesalerId, cornerStoreId }) => `${String(wholesalerId)} ${String(cornerStoreId)}`,
    );

  const [ofOne, ofShared, inSouth] = [
    `${north.wholesalerId} ${one.cornerStoreId}`,
    `${north.wholesalerId} ${shared.cornerStoreId}`,
    `${south.wholesalerId} ${shared.cornerStoreId}`,
  ];
  expect((await pairs({ wholesalerId: north.wholesalerId })).sort()).toEqual(
    [ofOne, ofShared].sort(),
  );
  expect((await pairs({ cornerStoreId: shared.cornerStoreId })).sort()).toEqual(
    [ofShared, inSouth].sort(),
  );
  expect((await pairs({ externalId: one.externalId })).sort()).toEqual([ofOne, inSouth].sort());
  const { body } = await read('customers', { cornerStoreId: one.cornerStoreId });
  expect(body.customers).toEqual([
    {
      wholesalerId: north.wholesalerId,
      cornerStoreId: one.cornerStoreId,
      externalId: one.externalId,
      status: 'pre-approved',
      createdAt: expect.any(String),
    },
  ]);
});

it('the audit log is listed newest first, by actor, action, object and time', async () => {
  const { wholesalerId } = await createWholesaler(accounts);
  const { cornerStoreId } = await createCustomer(accounts, wholesalerId);
  const actor = `key-${randomUUID()}`;
  const start = new Date(Date.now() - 60_000).toISOString();
  for (const action of ['approve', 'reject']) {
    const path = `/v1/admin/corner-stores/${cornerStoreId}/${action}`;
    const answer = await accounts.call(ops('admin', actor), 'POST', path, {
      body: action === 'reject' ? { reason: 'no such address' } : undefined,
    });
    expect(answer.status).toBe(200);
  }
  const entries = await allPages('audit', 'entries', { limit: '1', actor, from: start });
  expect(entries.map(({ action, objectId }) => [action, objectId])).toEqual([
    ['corner-store.rejected', cornerStoreId],
    ['corner-store.approved', cornerStoreId],
  ]);
  const ids = async (query: Record<string, string>) =>
    (await read('audit', query)).body.entries.map(
      (entry: { auditEntryId: string }) => entry.auditEntryId,
    );
  expect(await ids({ objectId: cornerStoreId, action: 'corner-store.approved' })).toEqual([
    entries[1]?.['auditEntryId'],
  ]);
  expect(await ids({ actor, to: start })).toEqual([]);
});

it.each([
  ['wholesalers', { cursor: randomUUID() }],
  ['wholesalers', { name: 'x' }],
  ['payment-providers', { cursor: 'x' }],
  ['customers', { externalId: '' }],
  ['customers', { cursor: 'x' }],
  ['customers', { phone: '+525555550101' }],
  ['audit', { from: '2026-02-31' }],
  ['audit', { objectId: '1' }],
  ['audit', { cursor: randomUUID() }],
  ['audit', { actor: '\0' }],
  ['customers', { externalId: 'a\0b' }],
  ['audit', { limit: '101' }],
])('%s refuses %j', async (path, query) => {
  expect((await read(path, query as unknown as Record<string, string>)).status).toBe(400);
});

it('the result of a verification is an entry of the audit log, which says who ran it', async () => {
  const details = { checks: 64, failed: 1, since: '2026-10-25' };
  const path = '/v1/admin/audit/verify-runs';
  const caller = ops('viewer');
  expect((await accounts.call(caller, 'POST', path, { body: details })).status).toBe(204);
  const body = { checks: 64, failed: -1 };
  expect((await accounts.call(caller, 'POST', path, { body })).status).toBe(400);
  const { entries } = (await read('audit', { action: 'verify.recorded' })).body;
  expect(entries).toMatchObject([{ actorId: caller.id, details }]);
});

it('corner stores are listed by their ids, such as those of a page of orders', async () => {
  const { wholesalerId } = await createWholesaler(accounts);
  const stores = [];
  for (let i = 0; i < 3; i += 1) stores.push(await createCustomer(accounts, wholesalerId));
  const [first = '', , third = ''] = stores.map(({ cornerStoreId }) => cornerStoreId);
  const { status, body } = await read('corner-stores', { cornerStoreIds: `${first},${third}` });
  expect(status).toBe(200);
  expect(body.cornerStores.map((one: { cornerStoreId: string }) => one.cornerStoreId)).toEqual([
    third,
    first,
  ]);
  expect((await read('corner-stores', { cornerStoreIds: 'x' })).status).toBe(400);

  const asked = { wholesalerId, totals: 'true', sort: 'createdAt' };
  const sorted = (await read('corner-stores', asked)).body;
  expect(sorted.totals).toEqual({ count: 3, amount: null, hasMore: false });
  expect(sorted.cornerStores.map((one: { cornerStoreId: string }) => one.cornerStoreId)).toEqual(
    stores.map(({ cornerStoreId }) => cornerStoreId),
  );
});
