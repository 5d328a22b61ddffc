import { randomUUID } from 'node:crypto';
import { service } from '@fiado/shared/testing/callers';
import { AN_ORDER, codeOf } from './support/orders';
import {
  startTransactions,
  type TransactionsService,
  type CornerStore,
} from './support/transactions';

let transactions: TransactionsService;
beforeAll(async () => {
  transactions = await startTransactions();
});
afterAll(() => transactions.stop());

const gateway = service('gateway');
const link = (store: CornerStore, transaction: object = AN_ORDER, externalId = 'tienda-1') =>
  transactions.call(store.caller, 'POST', `/v1/link/external/${externalId}`, {
    body: { transaction },
  });
const open = (transactionId: string, sendCode = 'if-never-sent') =>
  transactions.call(gateway, 'POST', '/internal/links/open', { body: { transactionId, sendCode } });
const codes = (transactionId: string) =>
  transactions.rows(
    `SELECT 1 FROM outbox WHERE aggregate_id = $1 AND data->>'template' = 'order-code'`,
    [transactionId],
  );

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
    const view = { state: 'waiting', phoneMasked: '********5678' };
    const looks = await Promise.all(Array.from({ length: 3 }, () => open(transactionId, 'never')));
    for (const { body } of looks) expect(body).toEqual({ ...view, codeSent: false });
    expect(await codes(transactionId)).toHaveLength(0);

    const views = await Promise.all(Array.from({ length: 10 }, () => open(transactionId)));

    for (const { body } of views) expect(body).toEqual({ ...view, codeSent: true });
    expect((await open(transactionId, 'never')).body).toEqual({ ...view, codeSent: true });
    expect(await codes(transactionId)).toHaveLength(1);
    for (let i = 0; i < 4; i += 1) expect((await open(transactionId, 'again')).status).toBe(200);
    const sixth = await open(transactionId, 'again');
    expect([sixth.status, sixth.body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect((await open(transactionId)).status).toBe(200);
  });

  it('shows wholesaler and amount only after the code', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = (await link(store)).body;
    await open(transactionId);
    const code = await codeOf(transactions, transactionId);
    const confirm = (typed: string) =>
      transactions.call(gateway, 'POST', '/internal/links/confirm', {
        body: { transactionId, code: typed },
      });

    const wrong = await confirm(code === '000000' ? '000001' : '000000');
    const right = await confirm(code);

    expect([wrong.status, wrong.body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
    expect([right.status, right.body]).toEqual([
      200,
      { wholesaler: store.caller.name, amountCents: 100_000 },
    ]);
    expect(await transactions.statusOf(store, transactionId)).toBe('on-hold');
    expect((await open(transactionId)).body).toEqual({ state: 'confirmed' });
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
