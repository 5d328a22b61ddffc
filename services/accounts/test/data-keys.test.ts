import { sealPages } from '@fiado/chassis/keys/reseal';
import type { SealingStatus, TakeDataKeys } from '@fiado/contracts/data-keys';
import { ops } from '@fiado/chassis/testing/callers';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { SEALED_TABLES } from '../src/db/sealed-columns';
import { spreadDataKeys } from '../src/keys/spread-data-keys';
import { createCustomer, createWholesaler, startAccounts, type Accounts } from './support/accounts';

const DATA_KEYS = '/v1/admin/data-keys';
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const NEW = { held: 0, sealing: 0, sealingSince: LONG_AGO, oldRows: 0 };

/** What transactions and the notifier answer, and the keys that they were sent last. */
let answer: SealingStatus | undefined;
let sent: TakeDataKeys['keys'];

let others: StandIn;
let accounts: Accounts;

beforeAll(async () => {
  others = await startStandIn(({ path, body }, res) => {
    const isForKeys = path === '/internal/data-keys';
    if (isForKeys) ({ keys: sent } = JSON.parse(body) as TakeDataKeys);
    return answer === undefined || !isForKeys ? void res.destroy() : { body: answer };
  });
  const { url } = others;
  accounts = await startAccounts({ config: { TRANSACTIONS_URL: url, NOTIFIER_URL: url } });
});
beforeEach(async () => {
  answer = NEW;
  await accounts.rows(`DELETE FROM data_keys WHERE number > 0`);
  await accounts.rows(`UPDATE data_keys SET sealing_from = $1`, [LONG_AGO]);
  await accounts.rows('DELETE FROM sealed_tables');
  await accounts.context.dataKeys.refresh();
});
afterAll(async () => {
  await accounts.stop();
  await others.stop();
});

const rotate = () => accounts.call(ops(), 'POST', DATA_KEYS);
const shown = async () => (await accounts.call(ops(), 'GET', DATA_KEYS)).body;
const retire = (dataKeyNumber: unknown) =>
  accounts.call(ops(), 'POST', `${DATA_KEYS}/retire`, { body: { dataKeyNumber } });
const sealsWith = () => accounts.context.dataKeys.keys.sealingNumber;

/** A key that all processes have, and with which all services seal since long ago. */
async function rotated(): Promise<void> {
  expect((await rotate()).status).toBe(201);
  await accounts.context.dataKeys.refresh();
  answer = { ...NEW, held: 1 };
  await spreadDataKeys(accounts.context);
  answer = { ...NEW, held: 1, sealing: 1 };
  await accounts.rows('UPDATE data_keys SET sealing_from = $1 WHERE number = 1', [LONG_AGO]);
  await accounts.context.dataKeys.refresh();
}

async function sealAll(): Promise<void> {
  while (await sealPages({ ...accounts.context, tables: SEALED_TABLES }));
}

describe('a new data key', () => {
  it('seals once every process of every service has it', async () => {
    expect((await rotate()).body).toEqual({ dataKeyNumber: 1 });
    expect(await spreadDataKeys(accounts.context)).toBe(false);
    await accounts.context.dataKeys.refresh();
    // The other services have not read it yet.
    expect(await spreadDataKeys(accounts.context)).toBe(false);
    expect(sent).toContainEqual(expect.objectContaining({ number: 1, isSealing: false }));

    answer = { ...NEW, held: 1 };
    expect(await spreadDataKeys(accounts.context)).toBe(true);
    await accounts.context.dataKeys.refresh();
    expect(sealsWith()).toBe(1);
    await spreadDataKeys(accounts.context);
    expect(sent).toContainEqual(expect.objectContaining({ number: 1, isSealing: true }));
  });

  it('does not seal while a service is unavailable', async () => {
    await rotate();
    await accounts.context.dataKeys.refresh();
    answer = undefined;
    expect(await spreadDataKeys(accounts.context)).toBe(false);
    expect(await shown()).toMatchObject({
      dataKeys: [{ dataKeyNumber: 1, sealingFrom: null }, { dataKeyNumber: 0 }],
      missing: ['notifier', 'transactions'],
    });
  });

  it('is made once by several requests at once', async () => {
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    expect(answers.map(({ body }) => body.dataKeyNumber)).toEqual([1, 1, 1]);
    expect((await rotate()).body).toEqual({ dataKeyNumber: 1 });
  });

  it('opens what the key before sealed, and customers are found by phone at every step', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    const found = async () => {
      const body = { q: customer.phoneNumber };
      return (await accounts.call(ops(), 'POST', '/v1/admin/search', { body })).text;
    };
    const before = await found();
    expect(before).toContain(customer.cornerStoreId);
    await rotated();
    expect(await found()).toBe(before);
    await sealAll();
    expect(await found()).toBe(before);
    const [user] = await accounts.rows<{ phone: Buffer }>('SELECT phone FROM users WHERE id = $1', [
      customer.userId,
    ]);
    expect(user?.phone.readUInt32BE()).toBe(1);
  });
});

describe('an old data key', () => {
  it('stays while a row of accounts needs it, and the newest always', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    await createCustomer(accounts, wholesalerId);
    await rotated();
    expect((await retire(0)).body.errorCode).toBe('DATA_KEY_IN_USE');
    await sealAll();
    expect((await retire(1)).body.errorCode).toBe('DATA_KEY_IN_USE');
    expect((await retire(7)).body.errorCode).toBe('DATA_KEY_NOT_FOUND');
    expect((await retire('0')).status).toBe(400);
  });

  it.each([
    ['another service has rows of it', { oldRows: 1 }],
    ['another service seals with it', { sealing: 0 }],
    ['a process does not have the newest key', { held: 0 }],
    ['a job may hold a value of it', { sealingSince: new Date().toISOString() }],
  ])('stays while %s', async (_what, status) => {
    await rotated();
    await sealAll();
    answer = { ...NEW, held: 1, sealing: 1, ...status };
    expect((await retire(0)).body.errorCode).toBe('DATA_KEY_IN_USE');
  });

  it('stays while a service is unavailable', async () => {
    await rotated();
    await sealAll();
    answer = undefined;
    expect((await retire(0)).status).toBe(503);
  });
});

it('a data key that is retired is gone from every list, and nothing opens with it', async () => {
  await rotated();
  await sealAll();
  expect((await retire(0)).status).toBe(204);
  expect((await shown()).dataKeys).toEqual([expect.objectContaining({ dataKeyNumber: 1 })]);
  await spreadDataKeys(accounts.context);
  expect(sent).toContainEqual({ kind: 'seal', number: 0, isSealing: true });
  expect((await retire(0)).body.errorCode).toBe('DATA_KEY_NOT_FOUND');
  const audited = await accounts.rows(
    `SELECT action, details FROM audit_log WHERE action LIKE 'data-key.%' ORDER BY id DESC LIMIT 2`,
  );
  expect(audited).toEqual([
    { action: 'data-key.retired', details: { number: 0 } },
    { action: 'data-key.rotated', details: { number: 1 } },
  ]);
});
