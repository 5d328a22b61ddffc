import { ops } from '@fiado/chassis/testing/callers';
import type { OpsScope } from '@fiado/contracts/caller';
import { indexNames } from '../src/names/index-names';
import {
  type Accounts,
  createCustomer,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { createVerification, takeStep } from './support/onboarding';

let accounts: Accounts;
let wholesalerId: string;
let customer: Customer;

beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
beforeEach(async () => {
  customer = await createCustomer(accounts, wholesalerId, {
    firstName: 'Lucía',
    lastNames: 'Núñez de la Cruz',
  });
  await nameStore('ABARROTES La Güera');
});
afterEach(async () => {
  await accounts.rows(`UPDATE corner_stores SET blocked_at = now()`);
});
afterAll(() => accounts.stop());

/** By the step of its onboarding. */
async function nameStore(cornerStoreName: string): Promise<void> {
  const verificationId = await createVerification(accounts, wholesalerId, customer);
  const ids = { userId: customer.userId, verificationId };
  const body = { step: 'CORNER_STORE_NAME_UPDATE', information: { cornerStoreName } };
  expect((await takeStep(accounts, wholesalerId, ids, { body })).status).toBe(200);
}

async function indexAll(): Promise<void> {
  while (await indexNames(accounts.context));
}

/** The stores that a text finds by their names. */
async function found(q: string, scope: OpsScope = 'operator'): Promise<object[]> {
  const { status, body } = await accounts.call(ops(scope), 'POST', '/v1/admin/search', {
    body: { q },
  });
  expect(status).toBe(200);
  return body.hits
    .filter(({ matchedBy }: { matchedBy: string }) => matchedBy === 'name')
    .map(({ id, label }: { id: string; label: string }) => ({ id, label }));
}

const hit = () => ({ id: customer.cornerStoreId, label: 'ABARROTES La Güera' });

it('a store is found by words of its name and of its owner’s, in any order, without accents', async () => {
  await indexAll();
  for (const q of ['guera', 'Abarrotes', 'NUÑEZ lucia güera', ' cruz, la  abarrotes ']) {
    expect([q, await found(q)]).toEqual([q, [hit()]]);
  }
  for (const q of ['guer', 'abarrotes ortega', '¡!']) expect([q, await found(q)]).toEqual([q, []]);
});

it('a viewer finds none, and what another finds is audited without the words', async () => {
  await indexAll();
  expect(await found('güera', 'viewer')).toEqual([]);
  const before = await audited();
  await found('nobody');
  await found('güera');
  expect((await audited()).slice(before.length)).toEqual([
    { object_id: null, details: { cornerStoreIds: [customer.cornerStoreId] } },
  ]);
});

function audited(): Promise<object[]> {
  return accounts.rows(
    `SELECT object_id, details FROM audit_log WHERE action = 'name.searched' ORDER BY occurred_at, id`,
  );
}

it('a corrected name is found, and the one before no more', async () => {
  await indexAll();
  const path = '/v1/admin/privacy-requests';
  const { body } = await accounts.call(ops(), 'POST', path, {
    body: {
      userId: customer.userId,
      kind: 'rectification',
      channel: 'email',
      identityProof: 'official-id',
    },
  });
  const corrections = { firstName: 'Xóchitl', cornerStoreName: 'Tienda El Sol' };
  await accounts.call(ops(), 'POST', `${path}/${body.privacyRequestId}/answer`, {
    body: { outcome: 'granted', corrections },
  });
  await indexAll();
  expect(await found('sol xochitl nunez')).toEqual([
    { id: customer.cornerStoreId, label: 'Tienda El Sol' },
  ]);
  expect([await found('lucia'), await found('guera')]).toEqual([[], []]);
});

it('a store that is blocked is not found, and of one that was erased no word is left', async () => {
  await indexAll();
  const words = () =>
    accounts.rows('SELECT FROM name_words WHERE corner_store_id = $1', [customer.cornerStoreId]);
  await accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
    customer.cornerStoreId,
  ]);
  expect([await found('guera'), (await words()).length]).toEqual([[], 1]);
  await accounts.rows('UPDATE corner_stores SET name = NULL WHERE id = $1', [
    customer.cornerStoreId,
  ]);
  await accounts.rows('UPDATE users SET first_name = NULL, last_names = NULL WHERE id = $1', [
    customer.userId,
  ]);
  await indexAll();
  expect(await words()).toEqual([]);
});

it('stores of before are indexed, and one whose names do not open waits without holding up the others', async () => {
  await indexAll();
  const damaged = await createCustomer(accounts, wholesalerId);
  await accounts.rows(`UPDATE users SET first_name = '\\x00' WHERE id = $1`, [damaged.userId]);
  await accounts.rows('DELETE FROM name_words');
  await accounts.rows('DELETE FROM names_due');
  await accounts.rows(
    `INSERT INTO names_due (corner_store_id) SELECT id FROM corner_stores
      WHERE id IN ($1, $2) ORDER BY id = $1`,
    [customer.cornerStoreId, damaged.cornerStoreId],
  );
  await indexAll();
  expect(await found('guera')).toEqual([hit()]);
  expect(await accounts.rows('SELECT corner_store_id FROM names_due')).toEqual([
    { corner_store_id: damaged.cornerStoreId },
  ]);
});
