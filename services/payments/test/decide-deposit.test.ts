import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { auditedOf } from './support/audited';
import { deposit, depositJson, postDeposit, untilSettled } from './support/deposit';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

function assign(depositId: string, body: object): Promise<Answer> {
  return payments.call(ops(), 'POST', `/v1/admin/deposits/${depositId}/assign`, { body });
}

function reverse(depositId: string, body: object = { reason: 'cheque devuelto' }): Promise<Answer> {
  return payments.call(ops(), 'POST', `/v1/admin/deposits/${depositId}/reverse`, { body });
}

/** Posts a deposit, waits until it is processed. @returns its id */
async function settled(changes: Parameters<typeof deposit>[1]): Promise<string> {
  const body = depositJson(changes);
  await postDeposit(payments, body);
  await untilSettled(payments);
  const [row] = await payments.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE clave_de_pago = $1',
    [body.claveDePago],
  );
  return row?.id ?? '';
}

async function reversalsOf({ transactionId }: { transactionId: string }): Promise<unknown[]> {
  const rows = await payments.outbox('payment.reversed');
  return rows
    .filter(({ data }) => 'transactionId' in data && data.transactionId === transactionId)
    .map(({ queue, aggregate_version: version, data }) => ({ queue, version, data }));
}

describe('POST /admin/deposits/{depositId}/assign', () => {
  it('applies an unmatched deposit to the corner store’s debt, once, and records who decided', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const depositId = await settled({ valor: 1060 });
    const { cornerStoreId } = order;

    const answers = await inFlight(
      Array.from({ length: 20 }, () => () => assign(depositId, { cornerStoreId })),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    expect(accepted[0]?.body).toMatchObject({ depositId, valor: 1060, status: 'applied' });
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({
        status: 422,
        body: { errorCode: 'DEPOSIT_IS_NOT_UNMATCHED' },
      });
    }
    expect((await receivableOf(payments, order)).paid).toBe(true);
    expect(await balanceOf(payments, order)).toBe(200);
    expect(await payments.rows('SELECT * FROM deposit_decisions')).toMatchObject([
      { deposit_id: depositId, decision: 'assigned', decided_by: 'ops' },
    ]);
    const details = { cornerStoreId, amountCents: 106_000 };
    expect(await auditedOf(payments, depositId)).toEqual([
      { actorKind: 'ops', actorId: 'ops', action: 'deposit.assigned', details },
    ]);
  });

  it('names the cause when nothing was ever delivered to the corner store', async () => {
    const depositId = await settled({});
    expect(await assign(depositId, { cornerStoreId: randomUUID() })).toMatchObject({
      status: 404,
      body: {
        errorCode: 'CORNER_STORE_NOT_FOUND',
        errorMessage: expect.stringContaining('never had a delivery'),
      },
    });
  });

  it('refuses an unknown deposit, an unknown corner store and a bad body', async () => {
    const depositId = await settled({});
    const cornerStoreId = randomUUID();
    expect((await assign(randomUUID(), { cornerStoreId })).body.errorCode).toBe(
      'DEPOSIT_NOT_FOUND',
    );
    expect((await assign('x', { cornerStoreId })).status).toBe(404);
    expect((await assign(depositId, { cornerStoreId })).body.errorCode).toBe(
      'CORNER_STORE_NOT_FOUND',
    );
    expect((await assign(depositId, { cornerStoreId: 'x' })).body.errorCode).toBe(
      'CORNER_STORE_NOT_FOUND',
    );
    expect((await assign(depositId, { cornerStoreId: 7 })).status).toBe(400);
    expect((await assign(depositId, { cornerStoreId, extra: 1 })).status).toBe(400);
  });
});

describe('POST /admin/deposits/{depositId}/reverse', () => {
  it('opens the paid debts again, once, and publishes it to transactions', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    await deposit(payments, { idFactura, valor: 58 });
    const depositId = await settled({ idFactura, valor: 1000 });
    expect((await receivableOf(payments, order)).paid).toBe(true);

    const answers = await inFlight(Array.from({ length: 20 }, () => () => reverse(depositId)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { depositId, status: 'reversed' } });
    expect(await receivableOf(payments, order)).toMatchObject({
      outstanding: [0, 0, 100_000],
      version: 4,
      paid: false,
    });
    expect(await reversalsOf(order)).toEqual([
      {
        queue: 'transactions',
        version: 4,
        data: {
          paymentId: expect.any(String),
          transactionId: order.transactionId,
          cornerStoreId: order.cornerStoreId,
          principalCents: 100_000,
          outstandingCents: 100_000,
          outstandingPrincipalCents: 100_000,
          reversedAt: expect.any(String),
        },
      },
    ]);
    expect(
      await payments.rows('SELECT reason FROM deposit_decisions WHERE deposit_id = $1', [
        depositId,
      ]),
    ).toEqual([{ reason: 'cheque devuelto' }]);
    expect(await auditedOf(payments, depositId)).toMatchObject([
      { action: 'deposit.reversed', details: { amountCents: 100_000 } },
    ]);
  });

  it('takes the surplus from the balance, and from what the balance has paid since', async () => {
    const first = delivery();
    const { userId, cornerStoreId } = first;
    await deliverTransaction(payments, first);
    const { id_factura: idFactura } = await receivableOf(payments, first);
    const depositId = await settled({ idFactura, valor: 1058 + 1000 });
    const second = delivery({ userId, cornerStoreId });
    await deliverTransaction(payments, second);
    expect((await receivableOf(payments, second)).outstanding).toEqual([0, 0, 5_800]);
    // Pays the rest of the second debt; 42 pesos stay in the balance.
    await deposit(payments, { idFactura, valor: 100 });
    expect(await balanceOf(payments, first)).toBe(4_200);

    expect((await reverse(depositId)).status).toBe(200);
    expect((await receivableOf(payments, first)).outstanding).toEqual([5_000, 800, 100_000]);
    // Of the 1,000 pesos, 42 were left. The other 958 paid debts that stay paid.
    expect((await receivableOf(payments, second)).outstanding).toEqual([800, 800, 94_200]);
    expect(await balanceOf(payments, first)).toBe(0);
    expect(await reversalsOf(second)).toMatchObject([
      { data: { principalCents: 94_200, outstandingCents: 95_800 } },
    ]);
  });

  it('pays the restored debt from the balance that another deposit left', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    const depositId = await settled({ idFactura, valor: 1058 });
    await deposit(payments, { idFactura, valor: 200 });

    await reverse(depositId);
    expect((await receivableOf(payments, order)).outstanding).toEqual([0, 0, 85_800]);
    expect(await balanceOf(payments, order)).toBe(0);
  });

  it('an unmatched deposit can be reversed, and then no longer assigned', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const depositId = await settled({});
    expect((await reverse(depositId)).body).toMatchObject({ status: 'reversed' });
    expect((await assign(depositId, { cornerStoreId: order.cornerStoreId })).status).toBe(422);
  });

  it('reversals and deposits of one user at once keep every sum', async () => {
    const order = delivery();
    const { userId, cornerStoreId } = order;
    const orders = [
      order,
      delivery({ userId, cornerStoreId }),
      delivery({ userId, cornerStoreId }),
    ];
    for (const one of orders) await deliverTransaction(payments, one);
    const { numero_referencia: numeroReferencia } = await receivableOf(payments, order);
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      ids.push(await settled({ numeroReferencia, valor: 400 }));
    }

    await Promise.all(
      ids.flatMap((id) => [
        reverse(id),
        postDeposit(payments, depositJson({ numeroReferencia, valor: 150 })),
      ]),
    );
    await untilSettled(payments);
    const rows = await Promise.all(orders.map((one) => receivableOf(payments, one)));
    const outstandingCents = rows
      .flatMap(({ outstanding }) => outstanding)
      .reduce((total, cents) => total + cents, 0);
    expect(outstandingCents).toBe(3 * 105_800 - 10 * 15_000);
    expect(await balanceOf(payments, order)).toBe(0);
  });

  it('refuses an unknown deposit and a missing reason', async () => {
    expect((await reverse(randomUUID())).body.errorCode).toBe('DEPOSIT_NOT_FOUND');
    expect((await reverse(randomUUID(), {})).status).toBe(400);
  });
});
