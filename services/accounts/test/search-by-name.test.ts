import type { Answer } from '@fiado/chassis/testing/call';
import { ops } from '@fiado/chassis/testing/callers';
import type { OpsScope } from '@fiado/contracts/caller';
import { keepNames } from '../src/names/keep-names';
import { noNames } from '../src/names/name-index';
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

/** Until this process knows all names. The test's rounds and those of the service's loop take turns. */
async function readAll(): Promise<void> {
  while (await keepNames(accounts.context));
}

function search(q: string, scope: OpsScope = 'operator'): Promise<Answer> {
  return accounts.call(ops(scope), 'POST', '/v1/admin/search', { body: { q } });
}

/** The stores that a text finds by their names. */
async function found(q: string, scope?: OpsScope): Promise<object[]> {
  const { status, body } = await search(q, scope);
  expect(status).toBe(200);
  return body.hits
    .filter(({ kind, matchedBy }: Record<string, string>) => {
      return kind === 'corner-store' && matchedBy === 'name';
    })
    .map(({ id, label }: { id: string; label: string }) => ({ id, label }));
}

const hit = () => ({ id: customer.cornerStoreId, label: 'ABARROTES La Güera' });

it('a store is found by parts of the words of its name and of its owner’s, in any order, without accents', async () => {
  await readAll();
  for (const q of ['guera', 'Abarrotes', 'barrot', 'NUÑ uci üer', ' cruz, la  abarrotes ']) {
    expect([q, await found(q)]).toEqual([q, [hit()]]);
  }
  for (const q of ['laguera', 'abarrotes ortega', '¡!'])
    expect([q, await found(q)]).toEqual([q, []]);
});

it('a wholesaler and a provider are found by parts of their names, for a viewer too, and not audited', async () => {
  const before = await audited();
  const { body } = await search('norte abarr', 'viewer');
  expect(body.hits).toMatchObject([
    { kind: 'wholesaler', matchedBy: 'name', id: wholesalerId, label: 'Abarrotes del Norte' },
  ]);
  expect(await audited()).toEqual(before);
});

it('a viewer finds none, and what another finds is audited without the words', async () => {
  await readAll();
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
  await readAll();
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
  await readAll();
  expect(await found('sol xochitl nunez')).toEqual([
    { id: customer.cornerStoreId, label: 'Tienda El Sol' },
  ]);
  expect([await found('lucia'), await found('guera')]).toEqual([[], []]);
});

it('a store that is blocked is not found, and of one that was erased no word is left', async () => {
  await readAll();
  const inMemory = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const id of accounts.context.names.index.find(['guera'])) ids.push(id);
    return ids.filter((id) => id === customer.cornerStoreId);
  };
  await accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
    customer.cornerStoreId,
  ]);
  expect([await found('guera'), await inMemory()]).toEqual([[], [customer.cornerStoreId]]);
  await accounts.rows('UPDATE corner_stores SET name = NULL WHERE id = $1', [
    customer.cornerStoreId,
  ]);
  await accounts.rows('UPDATE users SET first_name = NULL, last_names = NULL WHERE id = $1', [
    customer.userId,
  ]);
  await readAll();
  expect(await inMemory()).toEqual([]);
});

it('a name that a longer database transaction wrote is found once that has ended', async () => {
  await readAll();
  const sealed = accounts.context.sealer.seal(
    'Tienda Tardía',
    'corner-store-name',
    customer.cornerStoreId,
  );
  await accounts.context.db.transaction(async (tx) => {
    await tx.connection.query('UPDATE corner_stores SET name = $1 WHERE id = $2', [
      sealed,
      customer.cornerStoreId,
    ]);
    await nameOther();
    await readAll();
    expect(await found('tardia')).toEqual([]);
  });
  await readAll();
  expect(await found('tardia')).toEqual([{ id: customer.cornerStoreId, label: 'Tienda Tardía' }]);
});

/** A later change, which is committed before. */
async function nameOther(): Promise<void> {
  await createCustomer(accounts, wholesalerId, { firstName: 'Otra', lastNames: 'Persona' });
}

it('a process that starts says so until it has read all names, of which one does not open', async () => {
  const damaged = await createCustomer(accounts, wholesalerId);
  await accounts.rows(`UPDATE users SET first_name = '\\x00' WHERE id = $1`, [damaged.userId]);
  await readAll();
  expect((await search('guera')).body.missing).not.toContain('names');
  Object.assign(accounts.context.names, noNames());
  const answer = await search('guera');
  if (accounts.context.names.filledTo !== null) expect(answer.body.missing).toContain('names');
  await readAll();
  expect(await found('guera')).toEqual([hit()]);
});

it('the database has no word of a name, nor anything that is equal for equal words', async () => {
  await createCustomer(accounts, wholesalerId, { firstName: 'Lucía', lastNames: 'Núñez' });
  await readAll();
  const stored = await accounts.rows<{ row: string }>(
    `SELECT to_jsonb(u)::text AS row FROM users u UNION ALL SELECT to_jsonb(s)::text FROM corner_stores s
      UNION ALL SELECT to_jsonb(c)::text FROM name_changes c UNION ALL SELECT to_jsonb(w)::text FROM name_words w
      UNION ALL SELECT to_jsonb(d)::text FROM names_due d`,
  );
  const values = stored.flatMap(({ row }) => row.match(/\\\\x[0-9a-f]{16,}/g) ?? []);
  expect(values.length).toBeGreaterThan(3);
  expect(new Set(values).size).toBe(values.length);
  expect(await accounts.rows('SELECT FROM name_words UNION ALL SELECT FROM names_due')).toEqual([]);
});
