import { metricsText } from '@fiado/chassis/metrics';
import { wholesaler } from '@fiado/chassis/testing/callers';
import {
  brokenInvariants,
  defaultsOf,
  deliverOverdue,
  detect,
  PAST_DUE,
  payFor,
  reverse,
  toldOf,
} from './support/defaults';
import { depositJson, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { referenceOf, type ReferenceKind } from '../src/debts/payment-reference.rules';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;

beforeAll(async () => {
  payments = await startPayments();
});
afterEach(async () => expect(await brokenInvariants(payments)).toEqual([]));
afterAll(() => payments.stop());

describe('POST /admin/defaults/detect', () => {
  it('opens one default for each overdue receivable, and publishes how overdue the store is', async () => {
    const older = await deliverOverdue(payments, { dueAt: '2026-10-05T05:59:59.999Z' });
    const { userId, cornerStoreId } = older;
    const newer = await deliverOverdue(payments, { userId, cornerStoreId });
    const later = delivery({ userId, cornerStoreId, dueAt: '2999-01-01T00:00:00Z' });
    await deliverTransaction(payments, later);
    const paid = await deliverOverdue(payments);
    await payFor(payments, paid, 1058);
    await payFor(payments, newer, 1058 + 58);

    expect(await detect(payments)).toMatchObject({ status: 200, text: '{"opened":1}' });
    expect(await detect(payments)).toMatchObject({ text: '{"opened":0}' });

    expect(await defaultsOf(payments, older)).toEqual([{ cents: 100_000, paid: false }]);
    for (const order of [newer, later, paid]) expect(await defaultsOf(payments, order)).toEqual([]);
    const told = {
      version: 1,
      cornerStoreId,
      overdueCount: 1,
      oldestDueAt: '2026-10-05T05:59:59.999Z',
      opened: [older.transactionId],
      closed: [],
    };
    expect(await toldOf(payments, older, 'accounts')).toEqual([told]);
    expect(await toldOf(payments, older, 'transactions')).toEqual([told]);
  });

  it('a receivable that cannot go into default does not stop others', async () => {
    const bad = await deliverOverdue(payments, { dueAt: '2026-10-01T05:59:59.999Z' });
    const good = await deliverOverdue(payments);
    // The oldest of all, so that every look takes it first: it has an open default already.
    await payments.rows(
      `INSERT INTO payment_defaults (id, receivable_id, wholesaler_id, corner_store_id, user_id,
                                     external_id, amount_cents, as_of)
       SELECT id, id, wholesaler_id, corner_store_id, user_id, external_id, 1, now()
         FROM receivables WHERE transaction_id = $1`,
      [bad.transactionId],
    );

    expect(await detect(payments)).toMatchObject({ status: 200, text: '{"opened":1}' });
    expect(await defaultsOf(payments, good)).toEqual([{ cents: 105_800, paid: false }]);
    expect(await metricsText()).toMatch(/loop_rows_failed_total\{loop="detect defaults"\} [1-9]/);
    await payments.rows('UPDATE payment_defaults SET paid_at = now() WHERE id = receivable_id');
    expect(await detect(payments)).toMatchObject({ text: '{"opened":1}' });
  });

  it('closes it with the payment of the last cent, not before', async () => {
    const order = await deliverOverdue(payments);
    await detect(payments);
    await payFor(payments, order, 1057.99);
    expect(await defaultsOf(payments, order)).toEqual([{ cents: 105_800, paid: false }]);

    await payFor(payments, order, 0.01);
    expect(await defaultsOf(payments, order)).toEqual([{ cents: 105_800, paid: true }]);
    expect(await toldOf(payments, order)).toMatchObject([
      { version: 1, overdueCount: 1, oldestDueAt: PAST_DUE, opened: [order.transactionId] },
      { version: 2, overdueCount: 0, oldestDueAt: null, closed: [order.transactionId] },
    ]);
  });

  it('a reversal opens a new one at once, and publishes it in the next version', async () => {
    const order = await deliverOverdue(payments);
    await detect(payments);
    const depositId = await payFor(payments, order, 1058);
    await reverse(payments, depositId);

    expect(await defaultsOf(payments, order)).toEqual([
      { cents: 105_800, paid: true },
      { cents: 105_800, paid: false },
    ]);
    expect(await toldOf(payments, order)).toMatchObject([
      { version: 1 },
      { version: 2, overdueCount: 0 },
      { version: 3, overdueCount: 1, opened: [order.transactionId], closed: [] },
    ]);
    expect((await detect(payments)).body).toEqual({ opened: 0 });
  });

  it('a reversal that another deposit’s surplus covers at once opens no default', async () => {
    const order = await deliverOverdue(payments);
    const reversed = await payFor(payments, order, 1058);
    await payFor(payments, order, 1058);
    await reverse(payments, reversed);

    expect((await receivableOf(payments, order)).paid).toBe(true);
    expect(await defaultsOf(payments, order)).toEqual([]);
    expect(await toldOf(payments, order)).toEqual([]);
  });

  it('does not open one again for a reversed payment before its due date', async () => {
    const order = delivery({ dueAt: '2999-01-01T00:00:00Z' });
    await deliverTransaction(payments, order);
    await reverse(payments, await payFor(payments, order, 1058));
    expect(await defaultsOf(payments, order)).toEqual([]);
    expect(await toldOf(payments, order)).toEqual([]);
  });
});

describe('asOf', () => {
  it('in a sandbox may lie in the future, and its defaults stay open', async () => {
    const wholesalerId = crypto.randomUUID();
    const order = delivery({ wholesalerId, dueAt: '2998-12-31T23:59:59.999Z' });
    await deliverTransaction(payments, order);
    expect((await detect(payments, { asOf: '2998-12-31T23:59:59.999Z' })).body.opened).toBe(0);
    // Two receivables of the tests above are due in 2999, and one of them in default is enough.
    expect((await detect(payments, { asOf: '2999-01-01T00:00:00Z' })).body).toEqual({ opened: 1 });
    expect((await detect(payments)).body).toEqual({ opened: 0 });
    expect(await defaultsOf(payments, order)).toEqual([{ cents: 105_800, paid: false }]);

    const path = `/v1/transaction/${order.transactionId}/payment`;
    const payment = await payments.call(wholesaler(wholesalerId), 'GET', path);
    expect(payment.body.status).toBe('overdue');

    await reverse(payments, await payFor(payments, order, 1058));
    expect(await defaultsOf(payments, order)).toEqual([{ cents: 105_800, paid: true }]);
  });

  it('in the past finds less', async () => {
    const order = await deliverOverdue(payments);
    expect((await detect(payments, { asOf: PAST_DUE })).body).toEqual({ opened: 0 });
    expect((await detect(payments, { asOf: '2026-11-02T00:00:00-06:00' })).body.opened).toBe(1);
    expect(await defaultsOf(payments, order)).toHaveLength(1);
  });

  it('in production must not lie in the future', async () => {
    const production = await startPayments({
      config: { FIADO_MODE: 'production', PUBLIC_URL: 'https://fiado.prestamista.mx' },
    });
    try {
      const future = await detect(production, { asOf: '2999-01-01T00:00:00Z' });
      expect([future.status, future.body]).toEqual([
        400,
        { statusCode: 400, message: ['asOf must not be in the future'], error: 'Bad Request' },
      ]);
      expect((await detect(production, { asOf: PAST_DUE })).status).toBe(200);
      expect((await detect(production, {})).status).toBe(200);
    } finally {
      await production.stop();
    }
  });

  it('is a moment of the calendar with its zone, and any other body is refused', async () => {
    for (const body of [
      { asOf: 'tomorrow' },
      { asOf: '2026-11-20' },
      { asOf: '2026-11-20T10:00:00' },
      { asOf: '2026-02-31T10:00:00Z' },
      { asOf: 1_795_000_000 },
      { asOf: [PAST_DUE] },
      { as_of: PAST_DUE },
      [],
    ]) {
      const { status, body: answer } = await detect(payments, body);
      expect({ body, status, error: answer.error }).toEqual({
        body,
        status: 400,
        error: 'Bad Request',
      });
    }
  });
});

describe('many at once', () => {
  it('20 detections in parallel with 20 deposits open each default at most once and end with none', async () => {
    const first = await deliverOverdue(payments);
    const { userId, cornerStoreId } = first;
    const orders = [first];
    for (let i = 1; i < 20; i++) {
      orders.push(await deliverOverdue(payments, i < 10 ? { userId, cornerStoreId } : {}));
    }
    const references = await Promise.all(
      orders.map(async (order) => (await receivableOf(payments, order)).id_factura),
    );

    const answers = await Promise.all(
      references.flatMap((idFactura) => [
        postDeposit(payments, depositJson({ idFactura, valor: 1058 })),
        detect(payments),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await untilSettled(payments);

    for (const order of orders) {
      expect((await receivableOf(payments, order)).paid).toBe(true);
      expect(await defaultsOf(payments, order)).not.toContainEqual(
        expect.objectContaining({ paid: false }),
      );
    }
    const versions = await toldOf(payments, first);
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
    if (versions.length > 0) expect(versions.at(-1)?.overdueCount).toBe(0);
  });

  it('4 parallel detections over 1,200 receivables of 3 stores: the last version counts them all', async () => {
    const referencesOf = (kind: ReferenceKind, count: number): string[] =>
      Array.from({ length: count }, (_, n) => referenceOf(kind, n, Buffer.alloc(32)));
    await payments.rows(
      `WITH stores AS (
         INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia)
         SELECT gen_random_uuid(), gen_random_uuid(), unnest($2::text[]) RETURNING *),
       due AS (INSERT INTO receivables (id, transaction_id, wholesaler_id, corner_store_id, user_id,
           external_id, id_factura, principal_cents, interest_cents, iva_cents, due_at, version)
         SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), corner_store_id, user_id,
                'masa', ($3::text[])[row_number() OVER ()], 1000, 0, 0, $1, 1
           FROM stores, generate_series(1, 400) RETURNING *)
       INSERT INTO receivable_entries (receivable_id, version, cause, principal_cents,
         interest_cents, iva_cents) SELECT id, 1, 'opened', principal_cents, 0, 0 FROM due`,
      [PAST_DUE, referencesOf('numeroReferencia', 3), referencesOf('idFactura', 1200)],
    );
    const looks = await Promise.all(Array.from({ length: 4 }, () => detect(payments)));
    expect(looks.reduce((total, { body }) => total + body.opened, 0)).toBe(1200);

    const stores = await payments.rows<{ id: string }>(
      `SELECT DISTINCT corner_store_id AS id FROM receivables WHERE external_id = 'masa'`,
    );
    for (const { id: cornerStoreId } of stores) {
      const told = await toldOf(payments, { cornerStoreId });
      expect(told.at(-1)).toMatchObject({ overdueCount: 400 });
      expect(told.flatMap(({ opened }) => opened)).toHaveLength(400);
    }
  });
});
