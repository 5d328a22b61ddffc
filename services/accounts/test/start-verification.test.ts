import { randomUUID } from 'node:crypto';
import { wholesaler } from '@fiado/chassis/testing/callers';
import {
  approve,
  createCustomer,
  newPhone,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { lastCode, smsAbout } from './support/sms';
import { verificationOf, type VerificationCalls } from './support/verification';

describe('createAccountVerification', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;
  let calls: VerificationCalls;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
    calls = verificationOf(accounts, wholesalerId, customer);
  });
  afterAll(() => accounts.stop());

  it('keeps the numbers of metadata as they were sent', async () => {
    const metadata = '{"n":[1e400,9007199254740993]}';
    const { phoneNumber } = customer;
    const told = JSON.stringify({ firstName: 'Ana', lastNames: 'Ruiz', phoneNumber });
    const { status } = await accounts.call(wholesaler(wholesalerId), 'POST', calls.path(), {
      body: told.replace(/\}$/, `,"metadata":${metadata}}`),
    });
    expect(status).toBe(201);
    const rows = await accounts.rows('SELECT metadata::text FROM users WHERE id = $1', [
      customer.userId,
    ]);
    expect(rows).toEqual([{ metadata }]);
  });

  it('audits a change of names for its wholesaler, without the names', async () => {
    const told = { firstName: customer.firstName, lastNames: customer.lastNames };
    const audited = () =>
      accounts.rows(
        `SELECT actor_kind, actor_id, details FROM audit_log
          WHERE object_id = $1 AND action = 'user.names-changed'`,
        [customer.userId],
      );
    await calls.started(told);
    expect(await audited()).toEqual([]);

    await calls.started({ ...told, lastNames: 'De Otra Persona' });
    expect(await audited()).toEqual([
      { actor_kind: 'wholesaler', actor_id: wholesalerId, details: { changed: ['lastNames'] } },
    ]);
  });

  it('stores the data encrypted, and sends a code', async () => {
    const contacts = [{ fullName: 'Luis Mora', phoneNumber: '55 0000 1111' }];
    const { status, body } = await calls.start({
      firstName: 'Ana Laura',
      latitude: '19.4326',
      longitude: '-99.1332',
      contacts,
      metadata: { b: 1, a: [null, { z: 'ñ' }] },
      unknown: 'ignored',
    });
    expect(status).toBe(201);
    expect(body).toEqual({ verificationId: expect.any(String) });

    const [user] = await accounts.rows(
      'SELECT *, metadata::text AS kept FROM users WHERE id = $1',
      [customer.userId],
    );
    const { sealer } = accounts.context;
    expect(sealer.open(user?.first_name, 'first-name', customer.userId)).toBe('Ana Laura');
    expect(sealer.open(user?.latitude, 'latitude', customer.userId)).toBe('19.4326');
    expect(JSON.parse(sealer.open(user?.contacts, 'contacts', customer.userId))).toEqual(contacts);
    expect(user?.kept).toBe('{"b":1,"a":[null,{"z":"ñ"}]}');

    const [sms] = await smsAbout(accounts, customer.userId);
    expect(sms).toEqual({
      template: 'verification-code',
      phone: customer.phoneNumber,
      values: { code: expect.stringMatching(/^\d{6}$/) },
      wholesalerId,
    });
  });

  it('does not make a phone the user’s before its code is confirmed', async () => {
    const before = await accounts.rows('SELECT phone_index FROM users WHERE id = $1', [
      customer.userId,
    ]);
    await calls.started({ phoneNumber: newPhone() });
    expect(
      await accounts.rows('SELECT phone_index FROM users WHERE id = $1', [customer.userId]),
    ).toEqual(before);
  });

  it('ends the verification that was pending', async () => {
    const first = await calls.started();
    const code = await lastCode(accounts, customer.userId);
    await calls.started();
    const answer = await calls.confirm(first, { code });
    expect([answer.status, answer.body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
  });

  it('of ten at once, one is pending', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => calls.start()));
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    const pending = await accounts.rows(
      `SELECT id FROM verifications WHERE user_id = $1 AND status = 'pending'`,
      [customer.userId],
    );
    expect(pending).toHaveLength(1);
  });

  it('happens once for an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all([
      calls.start({}, key),
      calls.start({}, key),
      calls.start({}, key),
    ]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await smsAbout(accounts, customer.userId)).toHaveLength(1);
    expect((await calls.start({ firstName: 'Eva' }, key)).body.errorCode).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('is refused for who is verified or in validation', async () => {
    await accounts.rows(`UPDATE corner_stores SET status = 'in-manual-validation' WHERE id = $1`, [
      customer.cornerStoreId,
    ]);
    const inValidation = await calls.start();
    expect([inValidation.status, inValidation.body.errorCode]).toEqual([
      422,
      'USER_IN_MANUAL_VALIDATION',
    ]);
    await approve(accounts, customer.cornerStoreId);
    await accounts.rows('UPDATE corner_stores SET overdue = true WHERE id = $1', [
      customer.cornerStoreId,
    ]);
    const verified = await calls.start();
    expect([verified.status, verified.body.errorCode]).toEqual([422, 'USER_IS_VERIFIED']);
    const sent = await smsAbout(accounts, customer.userId);
    expect(sent.map(({ template }) => template)).toEqual(['store-approved']);
  });

  it("an unknown user and another wholesaler's are the same 404", async () => {
    const stranger = wholesaler((await createWholesaler(accounts)).wholesalerId);
    const body = { firstName: 'A', lastNames: 'B', phoneNumber: customer.phoneNumber };
    const foreign = await accounts.call(stranger, 'POST', calls.path(), { body });
    for (const id of [randomUUID(), 'x']) {
      const unknown = await accounts.call(stranger, 'POST', `/v1/account/${id}/verification`, {
        body,
      });
      expect([unknown.status, unknown.body]).toEqual([404, foreign.body]);
    }
    expect(foreign.body.errorCode).toBe('USER_NOT_FOUND');
  });

  it.each([
    [{ phoneNumber: '123' }, ['phoneNumber must be a valid phone number']],
    [{ phoneNumber: undefined }, ['phoneNumber must be a valid phone number']],
    [{ firstName: undefined }, ['firstName is required']],
    [{ latitude: 19.4 }, expect.arrayContaining(['latitude must be a string'])],
    [{ metadata: 'x' }, ['metadata must be a JSON object of at most 16 KB']],
    [{ metadata: { a: 'x'.repeat(16_400) } }, ['metadata must be a JSON object of at most 16 KB']],
    [{ contacts: [[{}]] }, expect.arrayContaining([expect.stringMatching(/^contacts/)])],
    [{ contacts: [{ fullName: 'A' }] }, ['contacts.0.phoneNumber is required']],
  ])('refuses %j', async (over, message) => {
    const answer = await calls.start(over);
    expect(answer.body).toEqual({ statusCode: 400, message, error: 'Bad Request' });
  });
});
