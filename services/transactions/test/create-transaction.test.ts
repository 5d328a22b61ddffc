import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import { forAllTests } from '../../../test/support/for-all-tests';
import { PHONE, startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('POST /transaction', () => {
  it('holds the credit, writes the order and sends the code', async () => {
    const store = await transactions.createCornerStore();

    const answer = await transactions.order(store, {
      wholesalerTransactionId: 'order-1',
      metadata: { route: 7, Ñ: [null] },
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      incrementalID: expect.any(Number),
      transactionId: expect.any(String),
      verificationId: expect.any(String),
      userPhoneNumber: '********5678',
    });
    expect(answer.headers.get('location')).toBe(`/v1/transaction/${answer.body.transactionId}`);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
    const sms = await transactions.lastSms(answer.body.transactionId);
    expect(sms).toEqual({
      phone: PHONE,
      values: {
        code: expect.stringMatching(/^\d{6}$/),
        amountCents: 100_000,
        wholesaler: store.caller.name,
      },
    });
    await transactions.checkLedger();

    const read = await transactions.call(store.caller, 'GET', '/v1/transaction/external/order-1');
    expect(read.body).toEqual({
      transactionId: answer.body.transactionId,
      cornerStoreId: store.cornerStoreId,
      userId: store.userId,
      transactionStatus: 'pending-verification',
      wholesalerTransactionId: 'order-1',
      movementDate: expect.stringMatching(/Z$/),
      totalAmount: 1000,
      interests: 50,
      IVAAmount: 8,
      totalAmountWithInterests: 1058,
      paymentDate: expect.stringMatching(/T05:59:59.999Z$/),
      deliveryDate: null,
      products: [
        {
          id: expect.any(String),
          externalSKU: 'SKU-1',
          name: 'Refresco 600 ml',
          quantity: 12,
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
      ],
      metadata: { route: 7, Ñ: [null] },
      wholesaler: store.caller.name,
    });
  });

  it.each([
    ['wholesalerTransactionID', 'wholesalerTransactionId', {}],
    ['wholesalerTransactionI', 'wholesalerTransactionId', { wholesalerTransactionId: null }],
    ['deliverydates', 'deliveryDate', {}],
    ['metaData', 'metadata', {}],
  ])('refuses %s while there is no %s', async (written, meant, others) => {
    const store = await transactions.createCornerStore();

    const answer = await transactions.order(store, { ...others, [written]: 'PED-1' });

    expect([answer.status, answer.body.message]).toEqual([
      400,
      [`property ${written} is unknown: the field is called ${meant}`],
    ]);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
  });

  it('names the fields and parameters that it ignores, in a header', async () => {
    const store = await transactions.createCornerStore();
    const products = [1, 2].map((quantity) => ({
      externalSKU: 'SKU-1',
      name: 'Refresco 600 ml',
      quantity,
      'año, caja': 1,
    }));
    const known = { cornerStoreId: store.cornerStoreId, totalAmount: 1000 };
    const order = { ...known, products, wholesalerTransactionId: 'PED-1' };

    const { status, headers } = await transactions.call(
      store.caller,
      'POST',
      '/v1/transaction?trace=1',
      { body: { ...order, wholesalerTransactionID: 'PED-2', note: { a: 1 } } },
    );
    expect([status, headers.get('fiado-ignored')]).toEqual([
      201,
      'products.a%C3%B1o%2C%20caja, wholesalerTransactionID, note, trace',
    ]);
    expect((await transactions.order(store)).headers.get('fiado-ignored')).toBeNull();
  });

  it('names so many of them as a header of 1,000 characters holds', async () => {
    const store = await transactions.createCornerStore();
    const hostile = Array.from({ length: 30 }, (_, i) => [`${i}\r\n${'😀'.repeat(100)}`, 1]);

    const answer = await transactions.order(store, Object.fromEntries(hostile) as object);

    expect(answer.status).toBe(201);
    const named = answer.headers.get('fiado-ignored') ?? '';
    expect(named).toMatch(/^0%0D%0A(?:%F0%9F%98%80){61}$/);
    const short = Array.from({ length: 30 }, (_, i) => [`extra-${i}`, 1]);
    const other = await transactions.order(store, Object.fromEntries(short) as object);
    expect(other.headers.get('fiado-ignored')?.split(', ')).toHaveLength(20);
  });

  it('takes null in every optional field as absent', async () => {
    const store = await transactions.createCornerStore();
    const nulls = { wholesalerTransactionId: null, deliveryDate: null, metadata: null };

    const answer = await transactions.order(store, nulls);

    expect(answer.status).toBe(201);
    const { transactionId } = answer.body;
    const read = await transactions.call(store.caller, 'GET', `/v1/transaction/${transactionId}`);
    expect(read.body).toMatchObject({ ...nulls, metadata: {} });
  });

  it.each([
    ['USER_NOT_VERIFIED', 422, { store: { status: 'pre-approved' as const } }, {}],
    [
      'USER_IS_IN_INTERNAL_VALIDATION',
      412,
      { store: { status: 'in-manual-validation' as const } },
      {},
    ],
    ['MINIMAL_TRANSACTION_REQUIRED', 422, {}, { totalAmount: 99.99 }, { minimumAmount: 100 }],
    ['CREDIT_LIMIT_EXCEEDED', 422, {}, { totalAmount: 10_000.01 }, { maximumAmount: 10_000 }],
    ['INVALID_DELIVERY_DATE', 422, {}, { deliveryDate: '2020-02-29' }],
    ['INVALID_DELIVERY_DATE', 422, {}, { deliveryDate: '9999-12-31' }],
    ['CORNER_STORE_NOT_FOUND', 404, {}, { cornerStoreId: 'Tienda 7' }],
    ['CORNER_STORE_NOT_FOUND', 404, {}, { cornerStoreId: '12345678-1234-1234-1234-123456789012' }],
  ])(
    'refuses with %s and holds nothing',
    async (errorCode, status, options, body, ...[allowed]: [object?]) => {
      const store = await transactions.createCornerStore(options);

      const answer = await transactions.order(store, body);

      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ errorCode, errorMessage: expect.any(String), ...allowed });
      expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
    },
  );

  it('takes a delivery date up to a year ahead', async () => {
    const store = await transactions.createCornerStore();
    const [{ now } = { now: new Date() }] = await transactions.rows<{ now: Date }>('SELECT now()');
    const inAYear = DateTime.fromJSDate(now, { zone: 'America/Mexico_City' }).plus({ years: 1 });
    const orderFor = async (deliveryDate: string | null) =>
      (await transactions.order(store, { deliveryDate })).status;

    expect(await orderFor(inAYear.toISODate())).toBe(201);
    expect(await orderFor(inAYear.toISO())).toBe(201);
    expect(await orderFor(inAYear.plus({ days: 1 }).toISODate())).toBe(422);
    expect(await orderFor(inAYear.plus({ days: 1 }).toISO())).toBe(422);
  });

  it('applies an approval at once, before its event arrives', async () => {
    const options = { store: { status: 'pre-approved' as const } };
    const store = await transactions.createCornerStore(options);
    transactions.createCornerStoreInAccounts({
      caller: store.caller,
      version: 2,
      store: { cornerStoreId: store.cornerStoreId, userId: store.userId },
    });

    expect((await transactions.order(store)).status).toBe(201);
  });

  it('accepts a store whose event has not arrived', async () => {
    const store = transactions.createCornerStoreInAccounts();

    expect((await transactions.order(store)).status).toBe(201);
  });

  it('accepts and refuses from its copy while accounts is unavailable', async () => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 150_000 } });
    transactions.accounts.up = false;
    try {
      expect((await transactions.order(store)).status).toBe(201);
      const refused = await transactions.order(store);
      expect([refused.status, refused.body.errorCode]).toEqual([422, 'CREDIT_LIMIT_EXCEEDED']);
      const unknown = await transactions.order({ ...store, cornerStoreId: randomUUID() });
      expect([unknown.status, unknown.body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(unknown.headers.get('retry-after')).not.toBeNull();
    } finally {
      transactions.accounts.up = true;
    }
  });

  it('refuses a second live order of the same wholesalerTransactionId', async () => {
    const store = await transactions.createCornerStore();
    await transactions.order(store, { wholesalerTransactionId: 'twice' });

    const second = await transactions.order(store, { wholesalerTransactionId: 'twice' });

    expect([second.status, second.body.errorCode]).toEqual([409, 'DUPLICATED_TRANSACTION']);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('names every problem of a body with its path and changes nothing', async () => {
    const store = await transactions.createCornerStore();

    const answer = await transactions.order(store, {
      totalAmount: 10.001,
      deliveryDate: 5,
      products: [{ externalSKU: 'a', name: 'b', quantity: 1e12 }, [{}]],
    });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: expect.arrayContaining([
        'totalAmount must be an amount above 0 and at most 100000000 with at most two decimals',
        'products must hold JSON objects only',
        'products.0.quantity must be a number above 0 and below 1000000000000 with at most three decimals',
      ]),
    });
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
  });

  it.each(['2026-02-31', '2026', 'tomorrow', '2026-13-01T00:00:00Z'])(
    'refuses the impossible delivery date %s with a 400',
    async (deliveryDate) => {
      const store = await transactions.createCornerStore();
      const answer = await transactions.order(store, { deliveryDate });
      expect(answer.status).toBe(400);
      expect(answer.body.message[0]).toContain('deliveryDate');
    },
  );

  it('puts the order on hold at once for a wholesaler that needs no confirmation', async () => {
    const store = await transactions.createCornerStore({
      settings: { confirmationRequired: false },
    });

    const { body } = await transactions.order(store);

    const read = await transactions.call(
      store.caller,
      'GET',
      `/v1/transaction/${body.transactionId}`,
    );
    expect(read.body.transactionStatus).toBe('on-hold');
    expect((await transactions.lastSms(body.transactionId)).values).toEqual({
      word: expect.stringMatching(/^[A-Z][a-z]+[A-Z][a-z]+$/),
      amountCents: 100_000,
      wholesaler: store.caller.name,
    });
  });

  it.each([
    ['falls in default', 'overdue = true', 'USER_IS_IN_DEFAULT'],
    ['loses its approval', `status = 'in-manual-validation'`, 'USER_IS_IN_INTERNAL_VALIDATION'],
  ])('refuses a store that %s between the check and the hold', async (_what, change, refusal) => {
    const store = await transactions.createCornerStore();
    // The look reads the row as it was; the hold waits for it.
    const { status, body } = await transactions.answeredAfter(change, {
      store,
      statement: 'WITH asked',
      request: () => transactions.order(store),
    });

    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.errorCode).toBe(refusal);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
  });
});
