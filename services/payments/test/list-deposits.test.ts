import { randomUUID } from 'node:crypto';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import type { Answer } from '@fiado/chassis/testing/call';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deposit, depositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);
/** A deposit of long ago has an unlikely time. */
const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
const sent = Array.from({ length: 5 }, (_, index) =>
  depositJson({
    claveDePago: `clave-${index}`,
    valor: index + 0.5,
    fechaPago: `${today} 00:00:00.00${index}`,
  }),
);

beforeAll(async () => {
  for (const body of sent) await postDeposit(payments, body);
  await untilSettled(payments);
});

function list(search: string): Promise<Answer> {
  return payments.call(ops(), 'GET', `/v1/admin/deposits${search}`);
}

describe('GET /admin/deposits', () => {
  it('lists each deposit as sent, with its provider and status, newest first', async () => {
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(body).toEqual({
      deposits: sent.toReversed().map((one) => ({
        ...one,
        depositId: expect.any(String),
        paymentProvider: oxxo.name,
        status: 'unmatched',
        reason: 'unknown',
        possibleDuplicateOf: null,
        hasUnlikelyTime: false,
        cornerStoreId: null,
        conflicts: [],
        pendingChange: null,
        reversalRequest: null,
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      })),
      totals: null,
      nextCursor: null,
    });
  });

  it('counts and adds up the rows of all pages, of a filter too', async () => {
    const totals = async (query: string) =>
      (await list(`?limit=1&totals=true${query}`)).body.totals;
    expect(await totals('')).toEqual({ count: 5, amount: 12.5, hasMore: false });
    expect(await totals('&status=unmatched&amount=2.50')).toMatchObject({ count: 1, amount: 2.5 });
    expect(await totals('&status=applied')).toEqual({ count: 0, amount: 0, hasMore: false });
    expect(await totals('&paymentProvider=another')).toMatchObject({ count: 0, amount: 0 });
  });

  it('sorts by arrival and unmatched ones by amount, in either direction', async () => {
    const claves = async (query: string): Promise<string[]> =>
      (await list(`?limit=2${query}`)).body.deposits.map(
        ({ claveDePago }: { claveDePago: string }) => claveDePago,
      );
    expect(await claves('&sort=receivedAt')).toEqual(['clave-0', 'clave-1']);
    expect(await claves('&sort=-valor&status=unmatched')).toEqual(['clave-4', 'clave-3']);
    expect(await claves('&sort=valor&status=unmatched')).toEqual(['clave-0', 'clave-1']);
    expect((await list('?sort=valor')).status).toBe(400);
  });

  it('pages with a cursor, and neither repeats nor skips one', async () => {
    const seen = await rowsOfAll('deposits', (cursor) => list(`?limit=2${cursor}`));
    expect(seen.map(({ claveDePago }) => claveDePago)).toEqual([
      'clave-4',
      'clave-3',
      'clave-2',
      'clave-1',
      'clave-0',
    ]);
    expect((await list(`?cursor=${randomUUID()}`)).status).toBe(400);
  });

  it('filters by status', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    await deposit(payments, { idFactura });

    const { cornerStoreId } = order;
    expect((await list('?status=applied')).body.deposits).toMatchObject([
      { idFactura, cornerStoreId },
    ]);
    expect((await list('?status=unmatched')).body.deposits).toHaveLength(5);
    expect((await list('?status=received')).body.deposits).toEqual([]);
  });

  it('filters unmatched ones by amount, and by reference in either field', async () => {
    await deposit(payments, { numeroReferencia: '8302 7491', idFactura: '4829-1057' });
    const claves = async (query: string): Promise<string[]> =>
      (await list(`?status=unmatched&${query}`)).body.deposits.map(
        ({ claveDePago }: { claveDePago: string }) => claveDePago,
      );
    expect(await claves('amount=2.50')).toEqual(['clave-2']);
    expect(await claves('amount=2.51')).toEqual([]);
    expect(await claves('reference=8302%207491')).toHaveLength(1);
    expect(await claves('reference=4829-1057&amount=100')).toHaveLength(1);
    expect(await claves('reference=')).toEqual([]);
    expect((await list('?amount=2.50')).status).toBe(400);
    expect((await list('?status=unmatched&amount=2,50')).status).toBe(400);
  });

  it('filters by provider', async () => {
    const all = (await list('')).body.deposits.length;
    const name = encodeURIComponent(oxxo.name);
    expect((await list(`?paymentProvider=${name}`)).body.deposits).toHaveLength(all);
    expect((await list('?paymentProvider=another')).body.deposits).toEqual([]);
  });

  it('lists the bodies that conflict with a deposit, and only so many of them', async () => {
    const [first = depositJson(), second = depositJson()] = sent;
    const refused = { ...first, numeroReferencia: '🦤'.repeat(1_500), valor: 0.29 };
    await postDeposit(payments, refused);
    for (let valor = 1; valor <= 25; valor += 1) await postDeposit(payments, { ...second, valor });

    const { body } = await list('?status=conflicting');
    const deposits = body.deposits as { conflicts: unknown[] }[];
    expect(deposits).toMatchObject([second, { ...first, status: 'unmatched' }]);
    expect(deposits.map(({ conflicts }) => conflicts.length)).toEqual([20, 1]);
    expect(deposits[1]?.conflicts).toEqual([
      {
        ...refused,
        numeroReferencia: '🦤'.repeat(1_000),
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
  });

  it('filters by the days of their arrival', async () => {
    const today = new Date().toISOString();
    const all = (await list('')).body.deposits.length;
    expect((await list(`?to=${today}`)).body.deposits).toHaveLength(all);
    expect((await list(`?from=${today}`)).body.deposits).toEqual([]);
  });

  it.each([
    '?from=yesterday',
    '?status=lost',
    '?limit=0',
    '?limit=101',
    '?limit=two',
    '?limit=1.5',
    '?cursor=x',
  ])('refuses %s', async (search) => {
    expect(await list(search)).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
  });
});
