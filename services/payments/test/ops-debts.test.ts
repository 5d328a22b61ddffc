import { randomUUID } from 'node:crypto';
import { ops, service } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deliverOverdue, detect, payFor, reverse } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const DEBTS = '/v1/admin/receivables';
const DEFAULTS = '/v1/admin/defaults';
/** Three days and an hour after PAST_DUE, when the defaults of the tests are overdue. */
const NOW = new Date('2026-11-05T07:00:00Z');

const payments = forAllTests(() => startPayments({ clock: { now: () => NOW } }));

const get = (path: string): Promise<Answer> => payments.call(ops('viewer'), 'GET', path);

async function transactionsOf(query: string): Promise<string[]> {
  const { status, body } = await get(`${DEBTS}?${query}`);
  expect(status).toBe(200);
  return body.receivables.map((one: { transactionId: string }) => one.transactionId);
}

async function delivered(changes: Parameters<typeof delivery>[0] = {}) {
  const order = delivery(changes);
  await deliverTransaction(payments, order);
  return order;
}

describe('GET /admin/receivables', () => {
  it('lists debts newest first, and open ones by their last day', async () => {
    const wholesalerId = randomUUID();
    const late = await delivered({ wholesalerId, dueAt: '2026-12-20T05:59:59.999Z' });
    const soon = await delivered({ wholesalerId, dueAt: '2026-12-05T05:59:59.999Z' });
    const paid = await delivered({ wholesalerId });
    const overdue = await deliverOverdue(payments, { wholesalerId });
    await payFor(payments, paid, 1058);

    const ids = (...orders: { transactionId: string }[]) =>
      orders.map(({ transactionId }) => transactionId);
    const of = (query: string) => transactionsOf(`wholesalerId=${wholesalerId}${query}`);
    expect(await of('')).toEqual(ids(overdue, paid, soon, late));
    expect(await of('&status=pending')).toEqual(ids(soon, late));
    expect(await of('&status=pending&dueBefore=2026-12-10')).toEqual(ids(soon));
    expect(await of('&status=pending&dueFrom=2026-12-10')).toEqual(ids(late));
    expect(await of('&status=pending&sort=-paymentDate')).toEqual(ids(late, soon));
    expect(await of('&sort=createdAt')).toEqual(ids(late, soon, paid, overdue));
    expect(await of('&status=overdue')).toEqual(ids(overdue));
    expect(await of('&status=paid')).toEqual(ids(paid));
    const totals = async (query: string) =>
      (await get(`${DEBTS}?wholesalerId=${wholesalerId}&limit=1&totals=true${query}`)).body.totals;
    expect(await totals('')).toEqual({ count: 4, amount: 3174, hasMore: false });
    expect(await totals('&status=pending&dueBefore=2026-12-10')).toMatchObject({ amount: 1058 });
    expect(await totals('&status=paid')).toEqual({ count: 1, amount: 0, hasMore: false });
    expect(await transactionsOf(`cornerStoreId=${soon.cornerStoreId}`)).toEqual(ids(soon));
    expect(await transactionsOf(`transactionId=${late.transactionId}`)).toEqual(ids(late));
  });

  it('pages through either order once', async () => {
    const wholesalerId = randomUUID();
    const dueAt = ['2026-12-01T06:00:00Z', '2026-12-02T06:00:00Z', '2026-12-02T06:00:00Z'];
    for (const day of dueAt) await delivered({ wholesalerId, dueAt: day });
    for (const status of ['', '&status=pending']) {
      const query = `wholesalerId=${wholesalerId}${status}`;
      const first = await get(`${DEBTS}?${query}&limit=2`);
      const rest = await transactionsOf(`${query}&cursor=${first.body.nextCursor}`);
      const seen = [
        ...first.body.receivables.map((one: { transactionId: string }) => one.transactionId),
        ...rest,
      ];
      expect(seen).toEqual(await transactionsOf(query));
      expect(seen).toHaveLength(3);
    }
  });

  it('tells how many days a debt is overdue, also one in default before its day', async () => {
    const overdue = await deliverOverdue(payments);
    const early = await delivered();
    await detect(payments, { asOf: '2027-01-31T00:00:00Z' });

    const { body } = await get(`${DEBTS}?transactionId=${overdue.transactionId}`);
    expect(body.receivables).toMatchObject([
      { status: 'overdue', daysOverdue: 4, amountDue: 1058, amountPaid: 0, totalAmount: 1000 },
    ]);
    const ofEarly = await get(`${DEBTS}?status=overdue&cornerStoreId=${early.cornerStoreId}`);
    expect(ofEarly.body.receivables).toMatchObject([{ status: 'overdue', daysOverdue: 0 }]);
  });

  it.each([
    'status=late',
    'wholesalerId=x',
    'dueBefore=2026-12-10',
    'status=paid&dueBefore=2026-12-10',
    'status=pending&dueBefore=soon',
    'limit=101',
    `cursor=${randomUUID()}`,
    'overdue=true',
    'status=paid&sort=paymentDate',
    'status=pending&sort=createdAt',
    'dueFrom=2026-12-10',
  ])('refuses ?%s', async (query) => {
    expect(await get(`${DEBTS}?${query}`)).toMatchObject({
      status: 400,
      body: { error: 'Bad Request' },
    });
  });
});

describe('GET /admin/receivables/{receivableId}', () => {
  it('shows the ledger of a debt, and what was taken back', async () => {
    const order = await delivered();
    const depositId = await payFor(payments, order, 58);
    await reverse(payments, depositId);
    const { id } = await receivableOf(payments, order);

    const { status, body } = await get(`${DEBTS}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ transactionId: order.transactionId, amountDue: 1058 });
    expect(
      body.entries.map(({ cause, amount }: { cause: string; amount: number }) => [cause, amount]),
    ).toEqual([
      ['opened', 1058],
      ['payment', -58],
      ['reversal', 58],
    ]);
    expect(body.allocations).toMatchObject([
      { depositId, amount: 58, interests: 50, IVAAmount: 8, totalAmount: 0, amountReversed: 58 },
    ]);
  });

  it('does not find what does not exist', async () => {
    for (const id of [randomUUID(), 'x']) {
      expect(await get(`${DEBTS}/${id}`)).toMatchObject({
        status: 404,
        body: { errorCode: 'RECEIVABLE_NOT_FOUND' },
      });
    }
  });
});

describe('GET /admin/defaults', () => {
  it('lists open and closed defaults of all wholesalers, newest first', async () => {
    const store = { cornerStoreId: randomUUID(), userId: randomUUID() };
    const [first, second] = [
      await deliverOverdue(payments, store),
      await deliverOverdue(payments, store),
    ];
    await detect(payments);
    await payFor(payments, first, 1058);
    const list = async (query: string) => {
      const { body } = await get(`${DEFAULTS}?cornerStoreId=${store.cornerStoreId}${query}`);
      return body.paymentDefaults;
    };

    expect(await list('&status=open')).toMatchObject([
      {
        transactionId: second.transactionId,
        status: 'open',
        paymentDefaultAmount: 1058,
        amountDue: 1058,
        daysOverdue: 4,
        paymentDefaultPaidDate: null,
      },
    ]);
    expect(await list('&status=closed')).toMatchObject([
      { transactionId: first.transactionId, status: 'closed', amountDue: 0, daysOverdue: 0 },
    ]);
    expect(await list('')).toHaveLength(2);
    expect(await list('&since=2020-01-01')).toHaveLength(2);
    expect(await list('&since=2999-01-01')).toEqual([]);
    expect(await list(`&wholesalerId=${second.wholesalerId}`)).toHaveLength(1);
  });

  it('pages, and refuses what it does not know', async () => {
    const store = { cornerStoreId: randomUUID(), userId: randomUUID() };
    for (let count = 0; count < 3; count += 1) await deliverOverdue(payments, store);
    await detect(payments);
    const path = `${DEFAULTS}?cornerStoreId=${store.cornerStoreId}`;
    const { body: first } = await get(`${path}&limit=2`);
    const { body: second } = await get(`${path}&limit=2&cursor=${first.nextCursor}`);
    const ids = [...first.paymentDefaults, ...second.paymentDefaults].map(
      ({ defaultId }: { defaultId: string }) => defaultId,
    );
    expect(new Set(ids).size).toBe(3);
    expect(second.nextCursor).toBeNull();

    for (const query of ['status=paid', 'since=never', `cursor=${randomUUID()}`, 'page=1']) {
      expect((await get(`${DEFAULTS}?${query}`)).status).toBe(400);
    }
  });
});

it('the search finds whole references, with or without the zeros at their head', async () => {
  const { transactionId } = await delivered();
  const { id_factura: idFactura } = await receivableOf(payments, { transactionId });
  const found = async (text: string) => {
    const { body } = await payments.call(service('accounts'), 'POST', '/internal/search', {
      body: { text },
    });
    return body.hits.map(({ id }: { id: string }) => id);
  };

  expect(await found(idFactura)).toEqual([transactionId]);
  const inFours = idFactura.replaceAll(/(?<=^(.{4})+)/g, ' ');
  for (const typed of [inFours, inFours.replaceAll(' ', '-'), `\u202a${idFactura}\u202c`]) {
    expect(await found(typed)).toEqual([transactionId]);
  }
  expect(await found(`${idFactura}7`)).toEqual([]);

  const old = `0${idFactura.slice(1)}`;
  await payments.rows('UPDATE receivables SET id_factura = $2 WHERE transaction_id = $1', [
    transactionId,
    old,
  ]);
  expect(await found(old.slice(1))).toEqual([transactionId]);
});
