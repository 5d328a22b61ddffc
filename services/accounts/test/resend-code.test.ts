import { randomUUID } from 'node:crypto';
import { startNotifierStandIn, type NotifierStandIn } from '@fiado/chassis/testing/stand-in';
import {
  approve,
  createCustomer,
  newPhone,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { takeStep } from './support/onboarding';
import { anotherCode, lastCode, smsAbout } from './support/sms';
import { verificationOf, type VerificationCalls } from './support/verification';

describe('resendAccountCode', () => {
  let notifier: NotifierStandIn;
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let calls: VerificationCalls;

  beforeAll(async () => {
    notifier = await startNotifierStandIn();
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler({
      config: { NOTIFIER_URL: notifier.url },
    }));
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    calls = verificationOf(accounts, wholesalerId, customer);
  });
  afterAll(async () => {
    await accounts.stop();
    await notifier.stop();
  });

  it('is refused if a budget would refuse the SMS, after all other checks', async () => {
    const verificationId = await calls.started();
    notifier.budget = 'refused';
    expect(await calls.resend(verificationId)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_ATTEMPTS' },
    });
    expect((await calls.resend(randomUUID())).body.code).toBe('VERIFICATION_NOT_FOUND');
    notifier.budget = 'allowed';
    expect(await smsAbout(accounts, customer.userId)).toHaveLength(1);
  });

  it('repeats the code and keeps the id', async () => {
    const verificationId = await calls.started();
    const answer = await calls.resend(verificationId);
    expect([answer.status, answer.body]).toEqual([200, { verificationId }]);
    const [first, second] = await smsAbout(accounts, customer.userId);
    expect(second).toEqual(first);
  });

  it('to another phone sends a code of its own', async () => {
    const verificationId = await calls.started();
    const old = await lastCode(accounts, customer.userId);
    const phoneNumber = newPhone();
    expect((await calls.resend(verificationId, phoneNumber)).status).toBe(200);
    const sms = (await smsAbout(accounts, customer.userId)).at(-1);
    expect(sms?.phone).toBe(phoneNumber);
    expect((await calls.confirm(verificationId, { code: old })).status).toBe(422);
    expect(
      (await calls.confirm(verificationId, { code: await lastCode(accounts, customer.userId) }))
        .status,
    ).toBe(200);
  });

  it('answers errors as code and message, and stops after five messages', async () => {
    const verificationId = await calls.started();
    for (let sends = 1; sends < 5; sends += 1)
      expect((await calls.resend(verificationId)).status).toBe(200);
    const answer = await calls.resend(verificationId);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({ code: 'TOO_MANY_ATTEMPTS', message: expect.any(String) });
    expect(await smsAbout(accounts, customer.userId)).toHaveLength(5);
  });

  it('proves the phone of a store that sent COMPLETED before its code was used up', async () => {
    const verificationId = await calls.started();
    const ids = { userId: customer.userId, verificationId };
    const completed = async () =>
      (await takeStep(accounts, wholesalerId, ids, { body: { step: 'COMPLETED' } })).body
        .missingSteps;
    expect(await completed()).toContain('PHONE_VERIFICATION');
    expect((await calls.resend(verificationId)).body.code).toBe('USER_IN_MANUAL_VALIDATION');
    const wrong = anotherCode(await lastCode(accounts, customer.userId));
    for (let tries = 0; tries < 5; tries++) await calls.confirm(verificationId, { code: wrong });

    expect((await calls.resend(verificationId)).status).toBe(200);
    const code = await lastCode(accounts, customer.userId);
    expect((await calls.confirm(verificationId, { code })).status).toBe(200);
    expect(await completed()).not.toContain('PHONE_VERIFICATION');
  });

  it('checks that the verification exists, then the user, then the verification', async () => {
    const verificationId = await calls.started();
    await calls.confirm(verificationId, { code: await lastCode(accounts, customer.userId) });
    expect((await calls.resend(verificationId)).body.code).toBe('VERIFICATION_NOT_VALID');
    await accounts.rows(`UPDATE corner_stores SET status = 'in-manual-validation' WHERE id = $1`, [
      customer.cornerStoreId,
    ]);
    expect((await calls.resend(verificationId)).body.code).toBe('USER_IN_MANUAL_VALIDATION');
    await approve(accounts, customer.cornerStoreId);
    const verified = await calls.resend(verificationId);
    expect([verified.status, verified.body.code]).toEqual([422, 'USER_IS_VERIFIED']);
    const stranger = (await createWholesaler(accounts)).wholesalerId;
    for (const answer of [
      await calls.resend(randomUUID()),
      await calls.resend('x'),
      await calls.resend(verificationId, customer.phoneNumber, stranger),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        code: 'VERIFICATION_NOT_FOUND',
        message: expect.any(String),
      });
    }
  });

  it('refuses an invalid phone with a validation error', async () => {
    const { body } = await calls.resend(await calls.started(), '12');
    expect(body).toEqual({
      statusCode: 400,
      message: ['phoneNumber must be a valid phone number'],
      error: 'Bad Request',
    });
  });
});
