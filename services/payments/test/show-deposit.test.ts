import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { payFor, reverse } from './support/defaults';
import { deposit, depositJson, oxxo, type DepositJson } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
let accounts: StandIn;
/** What accounts answers about who decided; undefined while it is down. */
let names: Record<string, string> | undefined;
beforeAll(async () => {
  accounts = await startStandIn(({ path }) =>
    path === '/internal/actor-names' && names !== undefined
      ? { body: { names } }
      : { status: 503, body: { errorCode: 'SERVICE_UNAVAILABLE' } },
  );
  payments = await startPayments({ config: { ACCOUNTS_URL: accounts.url } });
});
afterAll(async () => {
  await payments.stop();
  await accounts.stop();
});

const show = (id: string): Promise<Answer> =>
  payments.call(ops('viewer'), 'GET', `/v1/admin/deposits/${id}`);

async function delivered(changes: Parameters<typeof delivery>[0] = {}) {
  const order = delivery(changes);
  await deliverTransaction(payments, order);
  const { transactionId, userId, cornerStoreId } = order;
  return { transactionId, userId, cornerStoreId, ...(await receivableOf(payments, order)) };
}

/** The candidates of a deposit: the transaction and the reasons of each. */
async function candidatesOf(changes: Partial<DepositJson>): Promise<unknown[]> {
  const sent = depositJson(changes);
  await deposit(payments, sent);
  const [row] = await payments.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE clave_de_pago = $1',
    [sent.claveDePago],
  );
  const { status, body } = await show(row?.id ?? '');
  expect([status, body.status]).toEqual([200, 'unmatched']);
  return body.candidates.map((one: { transactionId: string; reasons: string[] }) => [
    one.transactionId,
    one.reasons,
  ]);
}

/** A reference with its last digit wrong, which makes it one of nobody. */
const misread = (reference: string): string =>
  reference.slice(0, -1) + String((Number(reference.at(-1)) + 1) % 10);

describe('the candidates of an unmatched deposit', () => {
  it('are the debts whose reference differs by one digit, with the exact amount first', async () => {
    const user = { userId: randomUUID(), cornerStoreId: randomUUID() };
    const small = await delivered({
      ...user,
      principalCents: 20_000,
      dueAt: '2026-12-01T06:00:00Z',
    });
    const meant = await delivered({ ...user, principalCents: 33_300 });

    expect(
      await candidatesOf({ numeroReferencia: misread(meant.numero_referencia), valor: 391 }),
    ).toEqual([
      [meant.transactionId, ['similar-reference', 'amount']],
      [small.transactionId, ['similar-reference']],
    ]);
  });

  it('are those of exactly its amount, the nearest to the payment first', async () => {
    const amount = { principalCents: 777_700, interestCents: 0, ivaCents: 0 };
    const far = await delivered({ ...amount, dueAt: '2026-12-20T06:00:00Z' });
    const near = await delivered({ ...amount, dueAt: '2026-11-19T06:00:00Z' });
    const paid = await delivered({ ...amount, dueAt: '2026-11-21T06:00:00Z' });
    await payFor(payments, paid, 7777);

    expect(await candidatesOf({ valor: 7777, fechaPago: '2026-11-20 10:00:00.000' })).toEqual([
      [near.transactionId, ['amount']],
      [far.transactionId, ['amount']],
    ]);
    expect(await candidatesOf({ valor: 7777.01 })).toEqual([]);
  });

  it('are at most ten, whatever owes the same amount', async () => {
    const amount = { principalCents: 888_800, interestCents: 0, ivaCents: 0 };
    for (let day = 10; day < 24; day += 1) {
      await delivered({ ...amount, dueAt: `2026-11-${day}T06:00:00Z` });
    }
    expect(await candidatesOf({ valor: 8888 })).toHaveLength(8);
    for (let day = 21; day < 30; day += 1) {
      await delivered({ ...amount, dueAt: `2026-12-${day}T06:00:00Z` });
    }
    expect(await candidatesOf({ valor: 8888 })).toHaveLength(10);
  });

  it('are the debts of the user of a deposit above the ceiling', async () => {
    const order = await delivered();
    expect(await candidatesOf({ idFactura: order.id_factura, valor: 20_000 })).toEqual([
      [order.transactionId, ['reference']],
    ]);
  });
});

describe('a deposit with references of two stores', () => {
  type Order = Awaited<ReturnType<typeof delivered>>;

  it.each<[string, (a: Order, b: Order) => string[]]>([
    ['each in its field', (a, b) => [a.id_factura, b.numero_referencia]],
    ['in each other’s field', (a, b) => [a.numero_referencia, b.id_factura]],
    ['two idFacturas', (a, b) => [a.id_factura, b.id_factura]],
    ['two numeroReferencias', (a, b) => [a.numero_referencia, b.numero_referencia]],
    ['with spaces and zeros', (a, b) => [` ${a.id_factura} `, `00${b.numero_referencia}`]],
    ['with a zero in the other field', (a, b) => [`0${a.numero_referencia}`, b.numero_referencia]],
  ])('%s: pays neither, and both debts are candidates', async (_name, referencesOf) => {
    const [a, b] = [await delivered(), await delivered()];
    const [idFactura = '', numeroReferencia = ''] = referencesOf(a, b);
    const candidates = await candidatesOf({ idFactura, numeroReferencia, valor: 1 });
    expect(candidates).toHaveLength(2);
    for (const order of [a, b]) {
      const reasons = expect.arrayContaining(['reference']);
      expect(candidates).toContainEqual([order.transactionId, reasons]);
      expect(await receivableOf(payments, order)).toMatchObject({ version: 1 });
    }
  });
});

describe('GET /admin/deposits/{depositId}', () => {
  it('shows what a deposit paid, its surplus, and who took it back', async () => {
    const order = await delivered();
    const depositId = await payFor(payments, order, 1100);
    const applied = await show(depositId);
    expect(applied.body).toMatchObject({
      depositId,
      status: 'applied',
      paymentProvider: oxxo.name,
      userId: order.userId,
      cornerStoreId: order.cornerStoreId,
      paidAt: expect.stringMatching(/^2026-11-04T16:15:/),
      surplus: 42,
      allocations: [{ transactionId: order.transactionId, amount: 1058, amountReversed: 0 }],
      decisions: [],
      candidates: [],
    });

    await reverse(payments, depositId);
    const reversed = await show(depositId);
    expect(reversed.body).toMatchObject({
      status: 'reversed',
      allocations: [{ amount: 1058, amountReversed: 1058 }],
      decisions: [
        { decision: 'reversed', decidedBy: 'ops', decidedByName: null, reason: 'devuelto' },
      ],
    });
    names = { ops: 'Ana Torres' };
    expect((await show(depositId)).body.decisions).toMatchObject([{ decidedByName: 'Ana Torres' }]);
  });

  it('does not find what does not exist, and takes no query', async () => {
    for (const id of [randomUUID(), 'x']) {
      expect((await show(id)).body.errorCode).toBe('DEPOSIT_NOT_FOUND');
    }
    expect((await show(`${randomUUID()}?full=true`)).status).toBe(400);
  });
});
