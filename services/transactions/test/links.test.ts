import { randomUUID } from 'node:crypto';
import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER, codeOf, outcomeOf } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const gateway = service('gateway');
const link = (store: CornerStore, transaction: object = AN_ORDER, externalId = 'tienda-1') =>
  transactions.call(store.caller, 'POST', `/v1/link/external/${externalId}`, {
    body: { transaction },
  });
const open = (transactionId: string, sendCode = 'if-never-sent') =>
  transactions.call(gateway, 'POST', '/internal/links/open', { body: { transactionId, sendCode } });
const page = (path: string, body: object) =>
  transactions.call(gateway, 'POST', `/internal/links/${path}`, { body });
const codes = (transactionId: string) =>
  transactions.rows(
    `SELECT 1 FROM outbox WHERE aggregate_id = $1 AND data->>'template' = 'order-code'`,
    [transactionId],
  );
const otherThan = (code: string) => (code === '000000' ? '000001' : '000000');
const setStatus = (transactionId: string, status: string) =>
  transactions.rows('UPDATE transactions SET status = $2 WHERE id = $1', [transactionId, status]);

describe('POST /link/external/{externalId}', () => {
  it('holds the credit and sends no code', async () => {
    const store = await transactions.createCornerStore();

    const { status, body } = await link(store);

    expect([status, body]).toEqual([
      201,
      {
        link: `http://127.0.0.1:3000/pedido/${body.transactionId}`,
        transactionId: expect.any(String),
      },
    ]);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
    expect(await codes(body.transactionId)).toHaveLength(0);
  });

  it('sends no code when the page is opened, one on request, and again on request', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = (await link(store)).body;
    const view = { state: 'waiting', phoneMasked: '********5678', checksLeft: 5 };
    const looks = await Promise.all(Array.from({ length: 3 }, () => open(transactionId, 'never')));
    for (const { body } of looks) expect(body).toEqual({ ...view, code: 'unsent' });
    expect(await codes(transactionId)).toHaveLength(0);

    const views = await Promise.all(Array.from({ length: 10 }, () => open(transactionId)));

    for (const { body } of views) expect(body).toEqual({ ...view, code: 'valid' });
    expect((await open(transactionId, 'never')).body).toEqual({ ...view, code: 'valid' });
    expect(await codes(transactionId)).toHaveLength(1);
    for (let i = 0; i < 4; i += 1) expect((await open(transactionId, 'again')).status).toBe(200);
    const sixth = await open(transactionId, 'again');
    expect([sixth.status, sixth.body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect((await open(transactionId)).status).toBe(200);
  });

  it('does not confirm the order of a store in default', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = (await link(store)).body;
    await open(transactionId);
    const code = await codeOf(transactions, transactionId);
    const { pass } = (await page('check-code', { transactionId, code })).body;
    const setOverdue = (overdue: boolean) =>
      transactions.rows('UPDATE credit_lines SET overdue = $2 WHERE corner_store_id = $1', [
        store.cornerStoreId,
        overdue,
      ]);
    await setOverdue(true);

    const refused = await page('accept', { transactionId, pass });

    expect(outcomeOf(refused)).toBe('422 VERIFICATION_NOT_VALID');
    expect(refused.body.reason).toBe('store-not-eligible');
    expect(await transactions.statusOf(store, transactionId)).toBe('pending-verification');
    await setOverdue(false);
    expect((await page('accept', { transactionId, pass })).status).toBe(200);
  });

  it('shows the order after the code, confirms it with the pass, and shows it until it is paid', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = (await link(store)).body;
    await open(transactionId);
    const code = await codeOf(transactions, transactionId);

    const wrong = await page('check-code', { transactionId, code: otherThan(code) });
    const right = await page('check-code', { transactionId, code });

    expect(outcomeOf(wrong)).toBe('422 VERIFICATION_NOT_VALID');
    expect(await transactions.statusOf(store, transactionId)).toBe('pending-verification');
    const { order, pass } = right.body;
    const path = `/v1/transaction/${transactionId}`;
    const { body: shown } = await transactions.call(store.caller, 'GET', path);
    const figures = {
      wholesaler: store.caller.name,
      products: [{ name: 'Refresco 600 ml', quantity: 12 }],
      orderedAmount: shown.orderedAmount,
      totalAmount: shown.totalAmount,
      interests: shown.interests,
      IVAAmount: shown.IVAAmount,
      totalAmountWithInterests: shown.totalAmountWithInterests,
      paymentDate: shown.paymentDate,
      timeZone: 'America/Mexico_City',
    };
    // 1,100 pesos with 5 % interests and 16 % IVA on them.
    expect(order).toEqual({ ...figures, maximumTotal: 1163.8, paymentTermDays: 14 });

    expect(outcomeOf(await page('accept', { transactionId, pass: `${pass}x` }))).toBe(
      '422 VERIFICATION_NOT_VALID',
    );
    expect((await page('accept', { transactionId, pass })).status).toBe(200);
    expect(await transactions.statusOf(store, transactionId)).toBe('on-hold');
    expect(outcomeOf(await page('accept', { transactionId, pass }))).toBe(
      '422 TRANSACTION_IS_VERIFIED',
    );
    const receipt = { wholesalerId: store.caller.id, order: figures };
    expect((await open(transactionId)).body).toEqual({ state: 'confirmed', ...receipt });

    await setStatus(transactionId, 'delivery');
    expect((await open(transactionId)).body).toEqual({ state: 'delivered', ...receipt });
    await setStatus(transactionId, 'paid');
    expect((await open(transactionId)).body).toEqual({ state: 'paid' });
  });

  it('tells an expired code from one without checks, and replaces both', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = (await link(store)).body;
    await open(transactionId);
    const code = await codeOf(transactions, transactionId);
    const { pass } = (await page('check-code', { transactionId, code })).body;
    for (let i = 0; i < 5; i += 1) {
      await page('check-code', { transactionId, code: otherThan(code) });
    }
    expect((await open(transactionId, 'never')).body.code).toBe('used-up');
    expect((await open(transactionId, 'again')).body.code).toBe('valid');
    const second = await codeOf(transactions, transactionId);
    expect(second).not.toBe(code);
    expect(outcomeOf(await page('accept', { transactionId, pass }))).toBe(
      '422 VERIFICATION_NOT_VALID',
    );

    const again = (await page('check-code', { transactionId, code: second })).body;
    await transactions.rows(
      'UPDATE verifications SET expires_at = now() WHERE transaction_id = $1',
      [transactionId],
    );
    expect((await open(transactionId, 'never')).body.code).toBe('expired');
    expect(outcomeOf(await page('accept', { transactionId, pass: again.pass }))).toBe(
      '422 VERIFICATION_NOT_VALID',
    );
    expect((await open(transactionId, 'again')).body.code).toBe('valid');
  });

  it('finds the corner store by the wholesaler’s id, if needed through accounts, and refuses a mismatch', async () => {
    expect((await link(transactions.createCornerStoreInAccounts())).status).toBe(201);
    const store = await transactions.createCornerStore();
    const answers = [
      await link(store, AN_ORDER, 'nobody'),
      await link(store, { ...AN_ORDER, cornerStoreId: randomUUID() }),
      await link(store, { ...AN_ORDER, cornerStoreId: 'Tienda 7' }),
      await link(store, { ...AN_ORDER, totalAmount: 1 }),
      await link(store, { ...AN_ORDER, products: 5 }),
    ];
    expect(answers.map(({ status, body }) => [status, body.errorCode ?? body.error])).toEqual([
      [404, 'CORNER_STORE_NOT_FOUND'],
      [404, 'CORNER_STORE_NOT_FOUND'],
      [404, 'CORNER_STORE_NOT_FOUND'],
      [422, 'MINIMAL_TRANSACTION_REQUIRED'],
      [400, 'Bad Request'],
    ]);
  });

  it('opens no order that was not made for a link', async () => {
    const store = await transactions.createCornerStore();
    const { body } = await transactions.order(store);
    const answer = await open(body.transactionId);
    expect([answer.status, answer.body.errorCode]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  });
});
