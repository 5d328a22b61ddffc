import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { transactionDelivered } from '@fiado/contracts/jobs/debts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { referenceOf, type ReferenceKind } from '../src/debts/payment-reference.rules';
import { deposit } from './support/deposit';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

describe('transaction.delivered', () => {
  it('opens a receivable with references of its own and of its user', async () => {
    const order = delivery();
    const { transactionId: id } = order;
    await payments.deliver(transactionDelivered, { id, version: 1 }, order);
    expect(await receivableOf(payments, order)).toEqual({
      id: expect.any(String),
      id_factura: expect.stringMatching(/^[1-9]\d{12}$/),
      numero_referencia: expect.stringMatching(/^[1-9]\d{11}$/),
      outstanding: [5_000, 800, 100_000],
      version: 1,
      paid: false,
    });
  });

  it('skips a reference that an older one can be read as', async () => {
    const nextOf = async (kind: ReferenceKind, sequence: string) => {
      const [row] = await payments.rows<{ number: number; key: Buffer }>(
        `SELECT nextval('${sequence}') + 1 AS number, key FROM reference_key`,
      );
      if (row === undefined) throw new Error('There is a reference key');
      return referenceOf(kind, row.number, row.key);
    };
    const old = delivery();
    await deliverTransaction(payments, old);
    const idFactura = await nextOf('idFactura', 'id_factura_numbers');
    await payments.rows('UPDATE receivables SET id_factura = $2 WHERE transaction_id = $1', [
      old.transactionId,
      idFactura,
    ]);
    const older = delivery();
    await deliverTransaction(payments, older);
    const numeroReferencia = await nextOf('numeroReferencia', 'numero_referencia_numbers');
    // Typed without its leading zero it would be the next numeroReferencia.
    await payments.rows('UPDATE receivables SET id_factura = $2 WHERE transaction_id = $1', [
      older.transactionId,
      `0${numeroReferencia}`,
    ]);

    const order = delivery();
    await deliverTransaction(payments, order);
    const opened = await receivableOf(payments, order);
    expect(opened.id_factura).not.toBe(idFactura);
    expect(opened.numero_referencia).not.toBe(numeroReferencia);
  });

  it('20 deliveries of one event, and of events that repeat it, open one receivable', async () => {
    const order = delivery();
    const messageId = randomUUID();
    await inFlight(
      Array.from(
        { length: 20 },
        (_, index) => () =>
          deliverTransaction(payments, order, index % 2 === 0 ? messageId : randomUUID()),
      ),
    );
    expect(await receivableOf(payments, order)).toMatchObject({ version: 1 });
  });

  it('the first deliveries of one user at once share one numeroReferencia', async () => {
    const { userId, cornerStoreId } = delivery();
    const orders = Array.from({ length: 10 }, () => delivery({ userId, cornerStoreId }));
    await Promise.all(orders.map((order) => deliverTransaction(payments, order)));

    const rows = await Promise.all(orders.map((order) => receivableOf(payments, order)));
    expect(new Set(rows.map((row) => row.numero_referencia)).size).toBe(1);
    expect(new Set(rows.map((row) => row.id_factura)).size).toBe(10);
  });

  it('uses the credit balance at once, as an allocation without a deposit', async () => {
    const first = delivery();
    const { userId, cornerStoreId } = first;
    await deliverTransaction(payments, first);
    const { id_factura: idFactura } = await receivableOf(payments, first);
    await deposit(payments, { idFactura, valor: 1058 + 60 });
    expect(await balanceOf(payments, first)).toBe(6_000);

    const second = delivery({ userId, cornerStoreId });
    await deliverTransaction(payments, second);
    const opened = await receivableOf(payments, second);
    expect(opened).toMatchObject({ outstanding: [0, 0, 99_800], version: 2 });
    expect(await balanceOf(payments, first)).toBe(0);
    const allocations = await payments.rows(
      'SELECT deposit_id, principal_cents FROM allocations WHERE receivable_id = $1',
      [opened.id],
    );
    expect(allocations).toEqual([{ deposit_id: null, principal_cents: 200 }]);
    const [told] = (await payments.outbox('payment.applied')).slice(-1);
    expect(told).toMatchObject({
      aggregate_id: opened.id,
      aggregate_version: 2,
      data: {
        transactionId: second.transactionId,
        cornerStoreId,
        principalCents: 200,
        outstandingCents: 99_800,
      },
    });
  });

  it('a credit balance above the debt keeps the rest', async () => {
    const first = delivery();
    const { userId, cornerStoreId } = first;
    await deliverTransaction(payments, first);
    const { numero_referencia: numeroReferencia } = await receivableOf(payments, first);
    await deposit(payments, { numeroReferencia, valor: 3000 });

    const second = delivery({ userId, cornerStoreId });
    await deliverTransaction(payments, second);
    expect((await receivableOf(payments, second)).paid).toBe(true);
    expect(await balanceOf(payments, first)).toBe(300_000 - 2 * 105_800);
  });
});
