import { inFlight } from '@fiado/chassis/testing/in-flight';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  customerBody,
  importCustomers,
  createCustomer,
  newPhone,
  createWholesaler,
  startAccounts,
  publishedSnapshots,
} from './support/accounts';

const UNCHANGED_PHONE = { phoneChanges: 0, phoneHeldUntil: null };

describe('import of customers', () => {
  const accounts = forAllTests(startAccounts);

  async function counts(): Promise<object> {
    const [row] = await accounts.rows(
      `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM corner_stores) AS stores,
              (SELECT count(*) FROM customers) AS customers, (SELECT count(*) FROM outbox) AS outbox`,
    );
    return row as object;
  }

  it('keeps when a new owner agreed to WhatsApp, and refuses a moment to come or none', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const at = '2026-09-21T16:04:05.000Z';
    const agreed = customerBody({ whatsappConsent: at });
    const { body } = await importCustomers(accounts, wholesalerId, [agreed, customerBody()]);
    const consents = await accounts.rows(
      `SELECT whatsapp_agreed_at, whatsapp_source FROM users
        WHERE id = ANY ($1) ORDER BY whatsapp_source NULLS LAST`,
      [body.customers.map(({ userId }: { userId: string }) => userId)],
    );
    expect(consents).toEqual([
      { whatsapp_agreed_at: new Date(at), whatsapp_source: 'import' },
      { whatsapp_agreed_at: null, whatsapp_source: null },
    ]);
    const before = await counts();
    for (const whatsappConsent of ['2999-01-01T00:00:00Z', '']) {
      const wrong = customerBody({ whatsappConsent });
      const refused = await importCustomers(accounts, wholesalerId, [wrong]);
      expect([refused.status, refused.body.message]).toEqual([
        400,
        ['customers.0.whatsappConsent must be a past moment with an offset'],
      ]);
    }
    expect(await counts()).toEqual(before);
  });

  it('creates users and stores, answers in order and publishes them', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const bodies = [customerBody(), customerBody({ creditLimit: 1234.56, interestRate: 0.0125 })];
    const { status, body } = await importCustomers(accounts, wholesalerId, bodies);

    expect(status).toBe(201);
    expect(body.customers).toEqual(
      bodies.map(({ externalId }) => ({
        externalId,
        userId: expect.any(String),
        cornerStoreId: expect.any(String),
        status: 'pre-approved',
      })),
    );
    const [, second] = body.customers;
    const [event] = await publishedSnapshots(accounts, second.cornerStoreId);
    expect(event).toEqual({
      cornerStoreId: second.cornerStoreId,
      userId: second.userId,
      status: 'pre-approved',
      creditLimitCents: 123_456,
      interestRate: '0.0125',
      phoneSealed: expect.any(String),
      phoneUnprovenBy: null,
      timeZone: null,
      customers: [{ wholesalerId, externalId: second.externalId, ...UNCHANGED_PHONE }],
    });
    const phone = accounts.context.sealer.open(
      Buffer.from(event?.phoneSealed ?? '', 'base64'),
      'phone',
      second.cornerStoreId,
    );
    expect(phone).toBe(bodies[1]?.phoneNumber);
  });

  it('keeps names and phones sealed', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId, { firstName: 'Guadalupe' });
    const [user] = await accounts.rows('SELECT * FROM users WHERE id = $1', [customer.userId]);
    const dump = [
      user,
      ...(await accounts.outbox()),
      ...(await accounts.rows('SELECT * FROM audit_log')),
    ]
      .map((row) =>
        Object.values(row ?? {}).map((value) =>
          Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value),
        ),
      )
      .join();
    expect(dump).not.toContain('Guadalupe');
    expect(dump).not.toContain(customer.phoneNumber);
  });

  it('repeated, it changes nothing', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const bodies = [customerBody(), customerBody()];
    const first = await importCustomers(accounts, wholesalerId, bodies);
    const before = await counts();
    const second = await importCustomers(accounts, wholesalerId, bodies);

    expect(second.body).toEqual(first.body);
    expect(await counts()).toEqual(before);
  });

  it('a known phone links the same store and changes neither limit nor rate', async () => {
    const one = await createWholesaler(accounts);
    const two = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, one.wholesalerId, { creditLimit: 800 });
    const linked = await createCustomer(accounts, two.wholesalerId, {
      phoneNumber: `55 ${customer.phoneNumber.slice(5)}`,
      creditLimit: 90_000,
      interestRate: 0.5,
    });

    expect(linked).toMatchObject({
      userId: customer.userId,
      cornerStoreId: customer.cornerStoreId,
    });
    const events = await publishedSnapshots(accounts, customer.cornerStoreId);
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ creditLimitCents: 80_000, interestRate: '0.05' });
    expect(events[1]?.customers).toHaveLength(2);
    expect(events[1]?.customers).toEqual(
      expect.arrayContaining([
        { wholesalerId: one.wholesalerId, externalId: customer.externalId, ...UNCHANGED_PHONE },
        { wholesalerId: two.wholesalerId, externalId: linked.externalId, ...UNCHANGED_PHONE },
      ]),
    );
  });

  it('a conflict names its row and changes nothing', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const customer = await createCustomer(accounts, wholesalerId);
    const before = await counts();
    const duplicate = customerBody();

    for (const rows of [
      [customerBody(), customerBody({ externalId: customer.externalId })],
      [customerBody(), customerBody({ phoneNumber: customer.phoneNumber })],
      [duplicate, customerBody({ phoneNumber: duplicate.phoneNumber })],
      [duplicate, { ...duplicate, creditLimit: 1 }],
    ]) {
      const { status, body } = await importCustomers(accounts, wholesalerId, rows);
      expect([status, body.errorCode]).toEqual([409, 'CUSTOMER_CONFLICT']);
      expect(body.errorMessage).toMatch(/^customers\.1 /);
    }
    expect(await counts()).toEqual(before);
  });

  it('bad rows are refused with their paths and change nothing', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const before = await counts();
    const phones = await importCustomers(accounts, wholesalerId, [
      customerBody(),
      customerBody({ phoneNumber: '12' }),
    ]);
    expect(phones.body).toEqual({
      statusCode: 400,
      message: ['customers.1.phoneNumber must be a valid phone number'],
      error: 'Bad Request',
    });
    const withoutSms = [
      '+52 800 123 4567',
      '+52 900 123 4567',
      '+1 202 555 0123',
      '+57 300 123 4567',
    ];
    const numbers = await importCustomers(accounts, wholesalerId, [
      customerBody(),
      ...withoutSms.map((phoneNumber) => customerBody({ phoneNumber })),
    ]);
    expect(numbers.body.message).toEqual(
      withoutSms.map(
        (_, row) => `customers.${row + 1}.phoneNumber must be a number that can get an SMS`,
      ),
    );
    for (const bad of [
      { creditLimit: -1 },
      { creditLimit: 1.234 },
      { interestRate: 0.0000001 },
      { interestRate: '0.05' },
      { interestRate: 5 },
      { externalId: '' },
      { firstName: 7 },
      { extra: true },
    ]) {
      const answer = await importCustomers(accounts, wholesalerId, [{ ...customerBody(), ...bad }]);
      expect(answer.status).toBe(400);
      expect(answer.body.message[0]).toMatch(/customers\.0\./);
    }
    for (const customers of [
      [[]],
      [null],
      'x',
      Array.from({ length: 1001 }, () => customerBody()),
    ]) {
      const answer = await accounts.call(
        ops(),
        'POST',
        `/v1/admin/wholesalers/${wholesalerId}/customers`,
        {
          body: { customers },
        },
      );
      expect(answer.status).toBe(400);
    }
    expect(await counts()).toEqual(before);
  });

  it('eight parallel imports of one phone make one user', async () => {
    const wholesalers = await inFlight(
      Array.from({ length: 8 }, () => () => createWholesaler(accounts)),
    );
    const phoneNumber = newPhone();
    const answers = await Promise.all(
      wholesalers.map(({ wholesalerId }) =>
        importCustomers(accounts, wholesalerId, [
          customerBody(),
          customerBody({ phoneNumber }),
          customerBody(),
        ]),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
    const stores = new Set(
      answers.map((answer) => answer.body.customers[1].cornerStoreId as string),
    );
    expect(stores.size).toBe(1);
    const events = await publishedSnapshots(accounts, [...stores][0] as string);
    expect(events).toHaveLength(8);
    expect(events[7]?.customers).toHaveLength(8);
  });

  it('eight parallel imports of the same known stores, in any order, all succeed', async () => {
    const first = await createWholesaler(accounts);
    const rows = Array.from({ length: 20 }, () => customerBody());
    await importCustomers(accounts, first.wholesalerId, rows);
    const wholesalers = await inFlight(
      Array.from({ length: 8 }, () => () => createWholesaler(accounts)),
    );
    const answers = await Promise.all(
      wholesalers.map(({ wholesalerId }, i) =>
        importCustomers(accounts, wholesalerId, i % 2 === 0 ? rows : rows.toReversed()),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
  });

  it('a thousand customers are imported within the time of a request', async () => {
    const { wholesalerId } = await createWholesaler(accounts);
    const rows = Array.from({ length: 1000 }, () => customerBody());
    const { status, body } = await importCustomers(accounts, wholesalerId, rows);
    expect(status).toBe(201);
    expect(body.customers).toHaveLength(1000);
  });

  it('an unknown wholesaler is not found, after the body is', async () => {
    const unknown = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
    expect((await importCustomers(accounts, unknown, [customerBody()])).body.errorCode).toBe(
      'WHOLESALER_NOT_FOUND',
    );
    expect((await importCustomers(accounts, 'x', [customerBody()])).status).toBe(404);
    expect((await importCustomers(accounts, unknown, [{}])).status).toBe(400);
  });
});
