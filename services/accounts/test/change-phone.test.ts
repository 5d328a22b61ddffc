import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { type Answer, unlessBusy } from '@fiado/chassis/testing/call';
import {
  createCustomer,
  createCustomers,
  newPhone,
  createWholesaler,
  type Accounts,
  type Customer,
  startAccountsWithWholesaler,
} from './support/accounts';
import { smsAbout } from './support/sms';

describe('changePhoneNumber', () => {
  let accounts: Accounts;
  let wholesalerId: string;
  let customer: Customer;

  beforeAll(async () => {
    ({ accounts, wholesalerId } = await startAccountsWithWholesaler());
  });
  beforeEach(async () => {
    customer = await createCustomer(accounts, wholesalerId);
  });
  afterAll(() => accounts.stop());

  function change(phoneNumber: unknown, userId = customer.userId, headers = {}): Promise<Answer> {
    return accounts.call(wholesaler(wholesalerId), 'PUT', `/v1/account/${userId}`, {
      body: { phoneNumber },
      headers,
    });
  }

  it('takes effect at once, is audited, and the old number gets an SMS', async () => {
    const phoneNumber = newPhone();
    const answer = await change(phoneNumber);
    expect([answer.status, answer.body]).toEqual([200, { userId: customer.userId, phoneNumber }]);

    expect(await smsAbout(accounts, customer.userId)).toEqual([
      {
        template: 'phone-changed',
        phone: customer.phoneNumber,
        values: { phoneMasked: `********${phoneNumber.slice(-4)}` },
        wholesalerId,
      },
    ]);
    const audit = await accounts.rows('SELECT * FROM audit_log WHERE object_id = $1', [
      customer.userId,
    ]);
    expect(audit).toEqual([
      expect.objectContaining({
        actor_kind: 'wholesaler',
        actor_id: wholesalerId,
        action: 'user.phone-changed',
        details: {},
      }),
    ]);
    const events = (await accounts.outbox('corner-store.changed')).filter(
      (row) => row.aggregate_id === customer.cornerStoreId,
    );
    expect(events.map((row) => row.aggregate_version)).toEqual([1, 2]);
  });

  it('to the same number changes nothing', async () => {
    expect((await change(customer.phoneNumber)).status).toBe(200);
    expect(await smsAbout(accounts, customer.userId)).toEqual([]);
  });

  it('happens once for an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const phoneNumber = newPhone();
    const first = await change(phoneNumber, customer.userId, key);
    await change(newPhone());
    const again = await change(phoneNumber, customer.userId, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await smsAbout(accounts, customer.userId)).toHaveLength(2);
  });

  it('is refused with the id of the user that has the number', async () => {
    const other = await createCustomer(accounts, wholesalerId);
    const answer = await change(other.phoneNumber);
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'PHONE_NUMBER_ALREADY_EXISTS']);
    expect(answer.body.errorMessage).toContain(other.userId);
  });

  it('of twenty users that request one number, one gets it', async () => {
    const customers = await createCustomers(accounts, wholesalerId, 20);
    const phoneNumber = newPhone();
    const answers = await Promise.all(customers.map(({ userId }) => change(phoneNumber, userId)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(
      answers.filter((answer) => answer.body.errorCode === 'PHONE_NUMBER_ALREADY_EXISTS'),
    ).toHaveLength(19);
  });

  it.each(['12', '', 5, null, undefined])(
    'refuses the number %j with the message of the specification',
    async (phoneNumber) => {
      expect((await change(phoneNumber)).body).toEqual({
        statusCode: 400,
        message: ['phoneNumber must be a valid phone number'],
        error: 'Bad Request',
      });
    },
  );

  it("an unknown user and another wholesaler's are the same 404", async () => {
    const foreign = await createCustomer(accounts, (await createWholesaler(accounts)).wholesalerId);
    for (const id of [foreign.userId, randomUUID(), '1']) {
      const answer = await change(newPhone(), id);
      expect([answer.status, answer.body.errorCode]).toEqual([404, 'USER_NOT_FOUND']);
    }
  });

  it('of a list of numbers, twenty in a day are answered, whether anybody has the others or not', async () => {
    const asking = (await createWholesaler(accounts)).wholesalerId;
    const { userId } = await createCustomer(accounts, asking);
    const probe = (phoneNumber: string) =>
      accounts.call(wholesaler(asking), 'PUT', `/v1/account/${userId}`, { body: { phoneNumber } });
    const { phoneNumber } = customer;
    const answers = await inFlight(
      Array.from({ length: 60 }, () => () => unlessBusy(() => probe(phoneNumber))),
    );
    const codes = answers.map(({ body }) => body.errorCode);
    expect(codes.filter((code) => code === 'PHONE_NUMBER_ALREADY_EXISTS')).toHaveLength(20);
    expect(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS')).toHaveLength(40);

    const [known, unknown] = [await probe(phoneNumber), await probe(newPhone())];
    expect(known.body.errorCode).toBe('TOO_MANY_ATTEMPTS');
    expect(unknown.text).toBe(known.text);
    // Another wholesaler is not affected.
    expect((await change(newPhone())).status).toBe(200);
  });
});
