import { wholesaler } from '@fiado/chassis/testing/callers';
import {
  type Accounts,
  createCustomer,
  type Customer,
  newPhone,
  startAccountsWithWholesaler,
} from './support/accounts';
import { anotherCode, lastCode, smsAbout } from './support/sms';
import { verificationOf, type VerificationCalls } from './support/verification';

describe('the number of a blocked person', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let blocked: Customer;
  /** Another customer, who is given the number. */
  let customer: Customer;
  let calls: VerificationCalls;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    await accounts.rows('DELETE FROM unknown_number_sends');
    blocked = await createCustomer(accounts, wholesalerId);
    customer = await createCustomer(accounts, wholesalerId);
    calls = verificationOf(accounts, wholesalerId, customer);
  });
  afterAll(() => accounts.stop());

  const block = (): Promise<object[]> =>
    accounts.rows('UPDATE corner_stores SET blocked_at = now() WHERE id = $1', [
      blocked.cornerStoreId,
    ]);
  const phonesToldOf = async ({ userId }: Customer): Promise<string[]> =>
    (await smsAbout(accounts, userId)).map(({ phone }) => phone);

  it('gets no code of another user, and the answer is that for any number', async () => {
    await block();
    const { status, body } = await calls.start({ phoneNumber: blocked.phoneNumber });
    expect([status, body]).toEqual([201, { verificationId: expect.any(String) }]);
    const again = await calls.resend(body.verificationId, blocked.phoneNumber);
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await phonesToldOf(customer)).toEqual([]);
  });

  it('gets no code when a resend names it, and another number then gets one', async () => {
    await block();
    const verificationId = await calls.started();
    expect((await calls.resend(verificationId, blocked.phoneNumber)).status).toBe(200);
    expect(await phonesToldOf(customer)).toEqual([customer.phoneNumber]);
    const phoneNumber = newPhone();
    expect((await calls.resend(verificationId, phoneNumber)).status).toBe(200);
    expect(await phonesToldOf(customer)).toEqual([customer.phoneNumber, phoneNumber]);
  });

  it('counts as a number that no customer has, so that a used-up budget answers alike', async () => {
    await block();
    await accounts.rows(
      `INSERT INTO unknown_number_sends (wholesaler_id, hour, sent, confirmed, last_sent_at)
       VALUES ($1, date_trunc('hour', now()), 1000000, 1000000, now())`,
      [wholesalerId],
    );
    const answers = [
      await calls.start({ phoneNumber: blocked.phoneNumber }),
      await calls.start({ phoneNumber: newPhone() }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  it('is not confirmed with a code from before the block, which is refused as a wrong one', async () => {
    const verificationId = await calls.started({ phoneNumber: blocked.phoneNumber });
    const code = await lastCode(accounts, customer.userId);
    await block();
    const wrong = await calls.confirm(verificationId, { code: anotherCode(code) });
    const right = await calls.confirm(verificationId, { code });
    expect([right.status, right.body]).toEqual([
      422,
      { ...wrong.body, checksLeft: wrong.body.checksLeft - 1 },
    ]);
    expect(wrong.body).toMatchObject({ errorCode: 'VERIFICATION_NOT_VALID', reason: 'wrong' });
  });

  it('is refused as the number of another user, whose id is not told', async () => {
    await block();
    const { status, body } = await accounts.call(
      wholesaler(wholesalerId),
      'PUT',
      `/v1/account/${customer.userId}`,
      { body: { phoneNumber: blocked.phoneNumber } },
    );
    expect([status, body]).toEqual([
      400,
      {
        errorCode: 'PHONE_NUMBER_ALREADY_EXISTS',
        errorMessage: 'The phone number is already used by another user',
      },
    ]);
    expect(await phonesToldOf(customer)).toEqual([]);
  });
});
