import { createRetention } from '@fiado/chassis/db/retention';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
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

const LINK = /^https:\/\/fiado\.example\/cuenta\/([\w-]{43})$/;

describe('createAccountLink', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({
      config: { PUBLIC_URL: 'https://fiado.example/' },
    }));
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
  });
  afterAll(() => accounts.stop());

  const create = (userId = customer.userId, by = wholesalerId): Promise<Answer> =>
    accounts.call(wholesaler(by), 'POST', '/v1/link/account', { body: { userId } });
  const newToken = async () => LINK.exec((await create()).body.accountLink)?.[1] ?? '';
  const ask = (path: string, body: object) =>
    accounts.call(service('gateway'), 'POST', `/internal/account-links/${path}`, { body });
  const open = (token: string, sendCode = 'never') => ask('open', { token, sendCode });
  const check = (token: string, code: string) => ask('check', { token, code });
  const outcome = ({ status, body }: Answer) => `${status} ${body.errorCode ?? ''}`.trim();

  it('makes a link whose page sends a code on request alone, and opens with it', async () => {
    const { name } = (
      await accounts.rows<{ name: string }>('SELECT name FROM wholesalers WHERE id = $1', [
        wholesalerId,
      ])
    )[0] ?? { name: '' };
    const token = await newToken();
    const masked = `********${customer.phoneNumber.slice(-4)}`;
    expect((await open(token)).body).toMatchObject({ valid: true, code: 'unsent' });
    expect(await smsAbout(accounts, customer.userId)).toEqual([]);

    await inFlight(Array.from({ length: 5 }, () => () => open(token, 'if-never-sent')));
    expect((await open(token)).body.phoneMasked.slice(-4)).toBe(masked.slice(-4));
    expect(await smsAbout(accounts, customer.userId)).toMatchObject([
      { phone: customer.phoneNumber, template: 'account-code' },
    ]);
    const code = await lastCode(accounts, customer.userId);
    expect(outcome(await check(token, anotherCode(code)))).toBe('422 VERIFICATION_NOT_VALID');
    const { status, body } = await check(token, code);
    expect([status, body]).toEqual([
      200,
      { userId: customer.userId, wholesalerId, wholesaler: name },
    ]);
    const rows = await accounts.rows('SELECT * FROM account_links');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('of a blocked person does not open, and sends no code', async () => {
    const token = await newToken();
    await accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
      customer.cornerStoreId,
    ]);
    expect((await open(token, 'if-never-sent')).body).toEqual({ valid: false });
    expect(await smsAbout(accounts, customer.userId)).toEqual([]);
  });

  it('is deleted a day after it has expired, and not before', async () => {
    const ends = ['+1 second', '-23 hours', '-25 hours'];
    for (const end of ends) {
      await newToken();
      await accounts.rows(
        `UPDATE account_links SET expires_at = now() + $1::interval
          WHERE id = (SELECT id FROM account_links ORDER BY created_at DESC LIMIT 1)`,
        [end],
      );
    }
    const kept = () =>
      accounts.rows('SELECT FROM account_links WHERE user_id = $1', [customer.userId]);
    const { db, log } = accounts.context;
    const retention = createRetention(db, log, accountsService.growingTables);
    retention.start();
    await until('one is deleted', async () => (await kept()).length < ends.length);
    await retention.stop();
    expect(await kept()).toHaveLength(2);
  });

  it('counts five checks for each code, and ten wrong ones for the link, also in parallel', async () => {
    const token = await newToken();
    await open(token, 'if-never-sent');
    for (let codes = 0; codes < 2; codes += 1) {
      const wrong = anotherCode(await lastCode(accounts, customer.userId));
      await inFlight(Array.from({ length: 8 }, () => () => check(token, wrong)));
      const code = await lastCode(accounts, customer.userId);
      expect((await open(token)).body.code).toBe('used-up');
      expect((await check(token, code)).status).not.toBe(200);
      expect((await open(token, 'again')).body.code).toBe('valid');
      expect(await lastCode(accounts, customer.userId)).not.toBe(code);
    }
    const last = await lastCode(accounts, customer.userId);
    expect(outcome(await check(token, last))).toBe('429 TOO_MANY_ATTEMPTS');
  });

  it('opens with its code as often as it is opened', async () => {
    const token = await newToken();
    await open(token, 'if-never-sent');
    const code = await lastCode(accounts, customer.userId);
    const visits = await inFlight(Array.from({ length: 8 }, () => () => check(token, code)));
    expect(visits.map(outcome)).toEqual(visits.map(() => '200'));
  });

  it('opens with a code that was sent before CODE_PEPPER was exchanged', async () => {
    const token = await newToken();
    await open(token, 'if-never-sent');
    const code = await lastCode(accounts, customer.userId);
    const after = await accounts.startOther({
      CODE_PEPPER: 'new-code-pepper-0123456789-abcdefghi',
      CODE_PEPPER_PREVIOUS: TEST_ENVIRONMENT.CODE_PEPPER,
    });
    const path = '/internal/account-links/check';
    const { status } = await after.call(service('gateway'), 'POST', path, {
      body: { token, code },
    });
    await after.stop();
    expect(status).toBe(200);
  });

  it('sends five messages and is made five times a day at most', async () => {
    const token = await newToken();
    for (let sent = 0; sent < 5; sent += 1) await open(token, 'again');
    expect(outcome(await open(token, 'again'))).toBe('429 TOO_MANY_ATTEMPTS');
    const more = await inFlight(Array.from({ length: 6 }, () => () => create()));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(more.map(outcome)).toContain('429 TOO_MANY_ATTEMPTS');
  });

  it('is void after its life, and its code after a change of the phone', async () => {
    const token = await newToken();
    await open(token, 'if-never-sent');
    const code = await lastCode(accounts, customer.userId);
    await accounts.call(wholesaler(wholesalerId), 'PUT', `/v1/account/${customer.userId}`, {
      body: { phoneNumber: newPhone() },
    });
    expect((await open(token)).body.code).toBe('expired');
    expect(outcome(await check(token, code))).toBe('422 VERIFICATION_NOT_VALID');
    await accounts.rows('UPDATE account_links SET expires_at = now() WHERE user_id = $1', [
      customer.userId,
    ]);
    expect((await open(token)).body).toEqual({ valid: false });
  });

  it('is made for the wholesaler’s own customers alone', async () => {
    const other = await createWholesaler(accounts);
    expect(outcome(await create(customer.userId, other.wholesalerId))).toBe('404 USER_NOT_FOUND');
    expect(outcome(await create('someone'))).toBe('404 USER_NOT_FOUND');
  });
});
