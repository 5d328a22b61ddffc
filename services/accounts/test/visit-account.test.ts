import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRetention } from '@fiado/chassis/db/retention';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { hashOfToken } from '../src/keys/secrets';
import { VISIT_LIMITS } from '../src/links/visit-account';
import { accountsService } from '../src/service';
import {
  createCustomer,
  createWholesaler,
  newPhone,
  startAccountsWithWholesaler,
  type Accounts,
  type Customer,
} from './support/accounts';
import { anotherCode, lastCode, smsAbout } from './support/sms';

let accounts: Accounts;
let wholesalerId: string;
let customer: Customer;
/** Another one for each visit, unless a test counts the visits of one. */
let address = 0;

beforeAll(async () => {
  ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
});
beforeEach(async () => {
  customer = await createCustomer(accounts, wholesalerId);
});
afterAll(() => accounts.stop());

const ask = (path: string, body: object): Promise<Answer> =>
  accounts.call(service('gateway'), 'POST', `/internal/account-visits/${path}`, { body });
const start = (phone = customer.phoneNumber, from = `198.51.100.${(address += 1)}`) =>
  ask('start', { phone, address: from });
const open = async (token: string, sendCode = 'never') =>
  (await ask('open', { token, sendCode })).body;
const check = async (token: string, code: string) => outcome(await ask('check', { token, code }));
const outcome = ({ status, body }: Answer) => `${status} ${body.errorCode ?? ''}`.trim();

async function visit(phone = customer.phoneNumber, userId = customer.userId): Promise<string> {
  const { token } = (await start(phone)).body;
  expect(await check(token, await lastCode(accounts, userId))).toBe('200');
  return token;
}
/** As many more visits as the one of that token, each of a number of its own. */
const visitAgain = (token: string, times: number) =>
  accounts.rows(
    `INSERT INTO account_visits (id, token_hash, phone_index, phone_masked, address_index,
                                 code_salt, code_expires_at, expires_at)
     SELECT gen_random_uuid(), uuid_send(gen_random_uuid()), uuid_send(gen_random_uuid()),
            phone_masked, address_index, code_salt, code_expires_at, expires_at
       FROM account_visits, generate_series(1, $2) WHERE token_hash = $1`,
    [hashOfToken(token), times],
  );
afterEach(() => jest.restoreAllMocks());
/** Other settings of the running service, for one test. */
function withSettings(settings: Partial<typeof accounts.context.config>): void {
  const { context } = accounts;
  jest.replaceProperty(context, 'config', Object.assign({}, context.config, settings));
}
const wholesalersSeenBy = async (token: string) =>
  ((await open(token)).accounts as Array<{ wholesalerId: string }>)
    .map((account) => account.wholesalerId)
    .toSorted();

it('a number and its code open the account for 15 minutes', async () => {
  const { token } = (await start()).body;
  const masked = `********${customer.phoneNumber.slice(-4)}`;
  const state = await open(token);
  expect(state).toMatchObject({ state: 'waiting', code: 'valid', checksLeft: 5 });
  expect(state.phoneMasked.slice(-4)).toBe(masked.slice(-4));
  expect(await smsAbout(accounts, customer.userId)).toMatchObject([
    { phone: customer.phoneNumber, template: 'account-code', wholesalerId: undefined },
  ]);
  const code = await lastCode(accounts, customer.userId);
  expect(await check(token, anotherCode(code))).toBe('422 VERIFICATION_NOT_VALID');
  expect(await check(token, code)).toBe('200');
  expect(await wholesalersSeenBy(token)).toEqual([wholesalerId]);

  await accounts.rows(`UPDATE account_visits SET expires_at = now() WHERE proved_at IS NOT NULL`);
  expect(await open(token)).toEqual({ state: 'ended' });
  expect(JSON.stringify(await accounts.rows('SELECT * FROM account_visits'))).not.toContain(token);
});

it('the owner agrees to WhatsApp for this number, and takes it back', async () => {
  const token = await visit();
  expect(await open(token)).not.toHaveProperty('whatsapp');
  withSettings({ WHATSAPP_FROM: '+525500000099' });
  const state = async () => (await open(token)).whatsapp;
  const consent = () =>
    accounts.rows(
      'SELECT whatsapp_agreed_at IS NOT NULL AS agrees, whatsapp_source FROM users WHERE id = $1',
      [customer.userId],
    );
  expect(await state()).toBe('offered');
  expect(outcome(await ask('whatsapp', { token, agrees: true }))).toBe('200');
  expect(await state()).toBe('agreed');
  expect(await consent()).toEqual([{ agrees: true, whatsapp_source: 'page' }]);
  expect(outcome(await ask('whatsapp', { token, agrees: false }))).toBe('200');
  expect(await consent()).toEqual([{ agrees: false, whatsapp_source: null }]);

  await ask('whatsapp', { token, agrees: true });
  const path = `/v1/account/${customer.userId}`;
  await accounts.call(wholesaler(wholesalerId), 'PUT', path, { body: { phoneNumber: newPhone() } });
  expect(await consent()).toEqual([{ agrees: false, whatsapp_source: null }]);
  const { token: waiting } = (await start()).body;
  expect(outcome(await ask('whatsapp', { token: waiting, agrees: true }))).toBe(
    '422 VERIFICATION_NOT_VALID',
  );
});

it('a number that no user has looks alike, gets no SMS and never opens', async () => {
  const sent = (await accounts.outbox('send-message')).length;
  const { token } = (await start(newPhone())).body;
  expect(await open(token)).toMatchObject({ state: 'waiting', code: 'valid', checksLeft: 5 });
  expect(await check(token, '123456')).toBe('422 VERIFICATION_NOT_VALID');
  expect(await open(token, 'again')).toMatchObject({ state: 'waiting', checksLeft: 4 });
  expect(await accounts.outbox('send-message')).toHaveLength(sent);
});

it('a code that was sent before CODE_PEPPER was exchanged opens the account', async () => {
  const { token } = (await start()).body;
  const code = await lastCode(accounts, customer.userId);
  withSettings({
    CODE_PEPPER: 'new-code-pepper-0123456789-abcdefghi',
    CODE_PEPPER_PREVIOUS: accounts.context.config.CODE_PEPPER,
  });
  expect(await check(token, code)).toBe('200');
});

it('a code has five checks, also of parallel guesses', async () => {
  const { token } = (await start()).body;
  const code = await lastCode(accounts, customer.userId);
  await inFlight(Array.from({ length: 8 }, () => () => check(token, anotherCode(code))));
  expect(await open(token)).toMatchObject({ code: 'used-up', checksLeft: 0 });
  expect(await check(token, code)).toBe('422 VERIFICATION_NOT_VALID');

  expect(await open(token, 'again')).toMatchObject({ code: 'valid', checksLeft: 5 });
  expect(await check(token, await lastCode(accounts, customer.userId))).toBe('200');
});

it('a number gets four SMS a day from one address, also of parallel visits, and another has its own', async () => {
  const stranger = '192.0.2.7';
  const answers = await inFlight(
    Array.from({ length: 8 }, () => () => start(customer.phoneNumber, stranger)),
  );
  expect(answers.map(outcome).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => '200'),
    ...Array.from({ length: 4 }, () => '429 TOO_MANY_ATTEMPTS'),
  ]);
  expect(await smsAbout(accounts, customer.userId)).toHaveLength(4);
  const { token } = answers.find(({ status }) => status === 200)?.body ?? {};
  expect(outcome(await ask('open', { token, sendCode: 'again' }))).toBe('429 TOO_MANY_ATTEMPTS');
  await visit();

  await accounts.rows(`UPDATE account_visits SET created_at = now() - interval '25 hours'`);
  expect(outcome(await start())).toBe('200');
});

it('a number gets twelve SMS a day from all addresses', async () => {
  const answers = await inFlight(Array.from({ length: 14 }, () => () => start()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(12);
});

it('also of visits that began before, 500 wrong codes are checked in an hour, 50 of an address', async () => {
  await accounts.rows(`UPDATE account_visits SET created_at = now() - interval '2 days'`);
  const { token } = (await start()).body;
  const code = await lastCode(accounts, customer.userId);
  const begun = await inFlight(
    ['a', 'a', 'b', 'c', 'd'].map((from) => () => start(newPhone(), from)),
  );
  const guesses = (...visits: number[]) =>
    Promise.all(visits.map((at) => check(begun[at]?.body.token, '000000')));
  const setWrong = (at: number, count: number) =>
    accounts.rows(`UPDATE account_visits SET wrong_codes = $2 WHERE token_hash = $1`, [
      hashOfToken(begun[at]?.body.token),
      count,
    ]);
  await setWrong(0, VISIT_LIMITS.wrongCodesOfAddress - 1);
  const [wrong, refused] = ['422 VERIFICATION_NOT_VALID', '429 TOO_MANY_ATTEMPTS'];
  expect((await guesses(0, 1)).toSorted()).toEqual([wrong, refused]);
  expect(await guesses(2)).toEqual([wrong]);
  await setWrong(2, VISIT_LIMITS.wrongCodes - VISIT_LIMITS.wrongCodesOfAddress - 1);
  expect((await guesses(3, 4)).toSorted()).toEqual([wrong, refused]);
  expect(await check(token, code)).toBe(refused);

  await accounts.rows(
    `UPDATE account_visits SET created_at = now() - interval '2 hours' WHERE wrong_codes > 0`,
  );
  expect(await check(token, code)).toBe('200');
});

it('the documentation has these limits', async () => {
  const text = (await readFile(join(__dirname, '../../../docs/security.md'), 'utf8')).replaceAll(
    /\s+/g,
    ' ',
  );
  const { wrongCodes, wrongCodesOfAddress, wrongCodesUntilSlow, visitsWhileSlow } = VISIT_LIMITS;
  const count = (value: number) => value.toLocaleString('en-US');
  expect(text).toContain(
    `After ${count(wrongCodesUntilSlow)} wrong codes in an hour the whole installation has ${count(visitsWhileSlow)} visits an hour; ` +
      `after ${count(wrongCodes)}, or ${count(wrongCodesOfAddress)} of visits that began at one address, no code is checked until the hour is over. ` +
      `So ${count(wrongCodes * 24)} guesses a day are the most`,
  );
});

it('wrong codes of all visits leave the installation 100 visits an hour', async () => {
  await accounts.rows(`UPDATE account_visits SET created_at = now() - interval '2 days'`);
  const { token } = (await start(newPhone())).body;
  await visitAgain(token, 97);
  await accounts.rows(`UPDATE account_visits SET wrong_codes = $2 WHERE token_hash = $1`, [
    hashOfToken(token),
    VISIT_LIMITS.wrongCodesUntilSlow - 1,
  ]);
  const other = await start(newPhone());
  await check(other.body.token, '000000');
  expect(outcome(await start(newPhone()))).toBe('200');
  expect(outcome(await start(newPhone()))).toBe('429 TOO_MANY_ATTEMPTS');
  await accounts.rows(`UPDATE account_visits SET created_at = now() - interval '2 days'`);
});

it('an address has 60 visits an hour, and another one has its own', async () => {
  const from = '203.0.113.7';
  await visitAgain((await start(newPhone(), from)).body.token, 58);
  expect(outcome(await start(newPhone(), from))).toBe('200');
  expect(outcome(await start(newPhone(), from))).toBe('429 TOO_MANY_ATTEMPTS');
  expect(outcome(await start(newPhone(), '203.0.113.8'))).toBe('200');
});

describe('a wholesaler that gave the number', () => {
  let rival: string;
  let phone: string;

  beforeEach(async () => {
    ({ wholesalerId: rival } = await createWholesaler(accounts));
    // The rival has the same store.
    await accounts.rows(
      `INSERT INTO customers (corner_store_id, wholesaler_id, external_id)
       VALUES ($1, $2, 'shared')`,
      [customer.cornerStoreId, rival],
    );
    phone = newPhone();
    const change = await accounts.call(wholesaler(rival), 'PUT', `/v1/account/${customer.userId}`, {
      body: { phoneNumber: phone },
    });
    expect(change.status).toBe(200);
  });

  it('does not see what others are owed', async () => {
    expect(await wholesalersSeenBy(await visit(phone))).toEqual([rival]);
  });

  it('hides nothing once ops has confirmed the number', async () => {
    const cleared = await accounts.call(
      ops(),
      'POST',
      `/v1/admin/corner-stores/${customer.cornerStoreId}/clear-phone-hold`,
    );
    expect(cleared.status).toBe(200);
    expect(await wholesalersSeenBy(await visit(phone))).toEqual([rival, wholesalerId].toSorted());
  });

  it('hides nothing of a wholesaler whose code proved the number', async () => {
    await accounts.rows(
      `INSERT INTO verifications (id, user_id, wholesaler_id, phone, phone_index, code_salt, status, expires_at, approved_at)
       SELECT gen_random_uuid(), id, $2, phone, phone_index, '\\x00', 'approved', now(), now()
         FROM users WHERE id = $1`,
      [customer.userId, wholesalerId],
    );
    expect(await wholesalersSeenBy(await visit(phone))).toEqual([rival, wholesalerId].toSorted());
  });
});

it('a visit is void once the number is no longer the user’s', async () => {
  const token = await visit();
  await accounts.call(wholesaler(wholesalerId), 'PUT', `/v1/account/${customer.userId}`, {
    body: { phoneNumber: newPhone() },
  });
  expect(await open(token)).toMatchObject({ state: 'waiting' });
});

it('visits are deleted a day after they expired', async () => {
  const { token } = (await start()).body;
  await accounts.rows(`UPDATE account_visits SET expires_at = now() - interval '25 hours'`);
  const { db, log } = accounts.context;
  const retention = createRetention(db, log, accountsService.growingTables);
  retention.start();
  await until(
    'it is deleted',
    async () => (await accounts.rows('SELECT FROM account_visits')).length === 0,
  );
  await retention.stop();
  expect(await open(token)).toEqual({ state: 'ended' });
});

const PROFILE = {
  rfc: 'LULU800101AB1',
  legalName: 'GUADALUPE LUNA LUNA',
  taxRegime: '626',
  postalCode: '06000',
  cfdiUse: 'G01',
};

it('who typed the code sets and removes the own tax profile, checked as elsewhere; before the code nobody does', async () => {
  const { token } = (await start()).body;
  const profile = async (body: object, of = token) =>
    (await ask('tax-profile', { token: of, ...body })).body;
  expect(await profile({ profile: PROFILE })).toEqual({ state: 'ended' });
  await check(token, await lastCode(accounts, customer.userId));
  expect(await profile({})).toEqual({ state: 'open', hasTaxProfile: false, wrong: [] });
  const wrong = { ...PROFILE, rfc: 'LULU', legalName: '', email: 'lupita' };
  expect(await profile({ profile: wrong })).toEqual({
    state: 'open',
    hasTaxProfile: false,
    wrong: expect.arrayContaining(['rfc', 'legalName', 'email']),
  });
  expect(await profile({ profile: PROFILE })).toMatchObject({ hasTaxProfile: true, wrong: [] });
  const path = `/v1/account/${customer.userId}/tax-profile`;
  const seen = await accounts.call(wholesaler(wholesalerId), 'GET', path);
  expect(seen.body).toEqual({ hasTaxProfile: true });
  expect(await profile({ remove: true })).toMatchObject({ hasTaxProfile: false });
  const entries = await accounts.rows(
    `SELECT action, actor_kind, actor_id FROM audit_log WHERE object_id = $1 AND action LIKE 'tax-profile.%'
      ORDER BY id`,
    [customer.userId],
  );
  expect(entries).toEqual(
    ['set', 'removed'].map((made) => ({
      action: `tax-profile.${made}`,
      actor_kind: 'service',
      actor_id: 'gateway',
    })),
  );
  expect(await profile({}, 'x'.repeat(43))).toEqual({ state: 'ended' });
});
