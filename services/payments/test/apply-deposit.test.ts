import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { applyDeposit as applyDepositJob, paymentApplied } from '@fiado/contracts/jobs/debts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { applyDeposit } from '../src/deposits/apply-deposit';
import { deposit, depositJson, oxxo, postDeposit, untilSettled } from './support/deposit';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

async function paymentsOf({ transactionId }: { transactionId: string }): Promise<unknown[]> {
  const rows = await payments.outbox(paymentApplied.type);
  return rows
    .filter(({ data }) => 'transactionId' in data && data.transactionId === transactionId)
    .map(({ queue, aggregate_id, aggregate_version, data }) => ({
      queue,
      aggregate_id,
      aggregate_version,
      ...data,
    }));
}

describe('a received deposit', () => {
  it('pays interests, then IVA, then principal of the receivable that idFactura names', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id, id_factura: idFactura } = await receivableOf(payments, order);

    await deposit(payments, { idFactura, valor: 55.5 });
    expect((await receivableOf(payments, order)).outstanding).toEqual([0, 250, 100_000]);
    await deposit(payments, { idFactura, valor: 12.5 });
    expect(await receivableOf(payments, order)).toMatchObject({
      outstanding: [0, 0, 99_000],
      version: 3,
      paid: false,
    });
    await deposit(payments, { idFactura, valor: 990 });
    expect(await receivableOf(payments, order)).toMatchObject({
      outstanding: [0, 0, 0],
      version: 4,
      paid: true,
    });

    const common = {
      queue: 'transactions',
      aggregate_id: id,
      transactionId: order.transactionId,
      cornerStoreId: order.cornerStoreId,
      paymentId: expect.any(String),
      appliedAt: expect.any(String),
    };
    expect(await paymentsOf(order)).toEqual([
      {
        ...common,
        aggregate_version: 2,
        principalCents: 0,
        outstandingCents: 100_250,
        outstandingPrincipalCents: 100_000,
      },
      {
        ...common,
        aggregate_version: 3,
        principalCents: 1_000,
        outstandingCents: 99_000,
        outstandingPrincipalCents: 99_000,
      },
      {
        ...common,
        aggregate_version: 4,
        principalCents: 99_000,
        outstandingCents: 0,
        outstandingPrincipalCents: 0,
      },
    ]);
  });

  it('pays the named one, then the oldest due of the same user, then the credit balance', async () => {
    const newest = delivery({ dueAt: '2026-12-20T05:59:59.999Z' });
    const { userId, cornerStoreId } = newest;
    const middle = delivery({ userId, cornerStoreId, dueAt: '2026-12-10T05:59:59.999Z' });
    const oldest = delivery({ userId, cornerStoreId, dueAt: '2026-12-01T05:59:59.999Z' });
    for (const order of [newest, middle, oldest]) await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, newest);

    await deposit(payments, { idFactura, valor: 1058 + 60 });
    expect((await receivableOf(payments, newest)).paid).toBe(true);
    expect((await receivableOf(payments, oldest)).outstanding).toEqual([0, 0, 99_800]);
    expect((await receivableOf(payments, middle)).version).toBe(1);
    expect(await balanceOf(payments, newest)).toBe(0);

    // The named one is paid already: all of it goes to the others, and the rest is kept.
    await deposit(payments, { idFactura, valor: 998 + 1058 + 33.33 });
    expect((await receivableOf(payments, oldest)).paid).toBe(true);
    expect((await receivableOf(payments, middle)).paid).toBe(true);
    expect(await balanceOf(payments, newest)).toBe(3_333);
  });

  it('finds the user by numeroReferencia, typed with spaces, and pays the oldest due', async () => {
    const later = delivery({ dueAt: '2026-12-20T05:59:59.999Z' });
    const { userId, cornerStoreId } = later;
    const sooner = delivery({ userId, cornerStoreId, wholesalerId: randomUUID() });
    await deliverTransaction(payments, later);
    await deliverTransaction(payments, sooner);
    const { numero_referencia: reference } = await receivableOf(payments, later);
    expect((await receivableOf(payments, sooner)).numero_referencia).toBe(reference);

    const typed = `${reference.slice(0, 4)} ${reference.slice(4, 8)}-${reference.slice(8)} `;
    await deposit(payments, { numeroReferencia: typed, valor: 1000 });
    expect((await receivableOf(payments, sooner)).outstanding).toEqual([0, 0, 5_800]);
    expect((await receivableOf(payments, later)).version).toBe(1);
  });

  it('two unknown references leave the deposit stored and unmatched', async () => {
    const body = depositJson({ idFactura: '0000000000000' });
    await postDeposit(payments, body);
    await untilSettled(payments);
    const kept = await payments.rows(
      'SELECT status, user_id, valor_cents FROM deposits WHERE clave_de_pago = $1',
      [body.claveDePago],
    );
    expect(kept).toEqual([{ status: 'unmatched', user_id: null, valor_cents: 10_000 }]);
  });

  it('20 calls at once, and jobs of the release before for the same deposit, apply it once', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const { id_factura: idFactura } = await receivableOf(payments, order);
    const body = depositJson({ idFactura, valor: 10 });
    await postDeposit(payments, body);
    const [row] = await payments.rows<{ id: string }>(
      'SELECT id FROM deposits WHERE clave_de_pago = $1',
      [body.claveDePago],
    );
    const depositId = row?.id ?? '';

    const calls = Array.from({ length: 20 }, () => () => applyDeposit(payments.context, depositId));
    const job = () =>
      payments.deliver(applyDepositJob, { id: depositId, version: 1 }, { depositId });
    await inFlight([...calls, job, job]);
    await untilSettled(payments);
    expect(await receivableOf(payments, order)).toMatchObject({
      outstanding: [4_000, 800, 100_000],
      version: 2,
    });
    expect(await paymentsOf(order)).toHaveLength(1);
  });
});

it('a deposit is applied with the id of the request that sent it', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { id, id_factura: idFactura } = await receivableOf(payments, order);
  const headers = { 'x-request-id': `deposit-${id}` };
  await postDeposit(payments, depositJson({ idFactura, valor: 10 }), oxxo, headers);
  await untilSettled(payments);
  const events = await payments.rows(
    'SELECT request_id FROM outbox WHERE type = $1 AND aggregate_id = $2',
    [paymentApplied.type, id],
  );
  expect(events).toEqual([{ request_id: headers['x-request-id'] }]);
});

describe('deposits of one user at once', () => {
  it('20 parallel deposits add up to the cent, and none needed a retry', async () => {
    const first = delivery({ principalCents: 10_000, interestCents: 500, ivaCents: 80 });
    const { userId, cornerStoreId } = first;
    const second = delivery({
      userId,
      cornerStoreId,
      principalCents: 10_000,
      interestCents: 500,
      ivaCents: 80,
    });
    const third = delivery({ userId, cornerStoreId, principalCents: 5_000, interestCents: 1 });
    for (const order of [first, second, third]) await deliverTransaction(payments, order);
    const references = await Promise.all(
      [first, second, third].map(async (order) => {
        const row = await receivableOf(payments, order);
        return { idFactura: row.id_factura, numeroReferencia: row.numero_referencia };
      }),
    );
    const owedCents = 10_580 + 10_580 + 5_801;

    const keys = await inFlight(
      Array.from({ length: 20 }, (_, index) => async () => {
        const { idFactura, numeroReferencia } = references[index % 3] ?? depositJson();
        const named = index % 2 === 0 ? { idFactura } : { numeroReferencia };
        const body = depositJson({ ...named, valor: 15.01 });
        expect((await postDeposit(payments, body)).status).toBe(200);
        return body.claveDePago;
      }),
    );
    await untilSettled(payments);

    const paidCents = 20 * 1_501;
    expect(await balanceOf(payments, first)).toBe(paidCents - owedCents);
    for (const order of [first, second, third]) {
      expect((await receivableOf(payments, order)).outstanding).toEqual([0, 0, 0]);
    }
    const [sums] = await payments.rows(
      `SELECT sum(a.principal_cents + a.interest_cents + a.iva_cents)::bigint AS allocated
         FROM allocations a JOIN deposits d ON d.id = a.deposit_id WHERE clave_de_pago = ANY($1)`,
      [keys],
    );
    expect(sums).toEqual({ allocated: owedCents });
    const attempts = await payments.rows(
      'SELECT DISTINCT attempts FROM deposits WHERE clave_de_pago = ANY($1)',
      [keys],
    );
    expect(attempts).toEqual([{ attempts: 1 }]);
  });
});

describe('the ledgers', () => {
  it.each(['receivable_entries', 'credit_balance_entries', 'allocations', 'deposit_conflicts'])(
    '%s cannot be changed or emptied by the service',
    async (table) => {
      await expect(payments.rows(`DELETE FROM ${table}`)).rejects.toThrow('permission denied');
      await expect(payments.rows(`UPDATE ${table} SET created_at = now()`)).rejects.toThrow();
      await expect(payments.rows(`TRUNCATE ${table} CASCADE`)).rejects.toThrow();
    },
  );
});
