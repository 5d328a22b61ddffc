import { randomBytes, randomUUID } from 'node:crypto';
import { personErase } from '@fiado/contracts/jobs/privacy';
import { ops, service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { brokenInvariants, payFor, reverse } from './support/defaults';
import { depositJson, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

/** Erases the owner of an order. */
const erase = ({ userId, cornerStoreId }: ReturnType<typeof delivery>): Promise<void> =>
  payments.deliver(
    personErase,
    { id: randomUUID(), version: 1 },
    {
      erasureId: randomUUID(),
      phase: 'suppress',
      userId,
      cornerStoreId,
      objectIds: [],
      phoneIndexes: [],
      nameKey: randomBytes(32).toString('base64'),
    },
  );

it('a deposit that waits with the reference of a person is theirs; one that staff took away is not', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { numero_referencia: numeroReferencia } = await receivableOf(payments, order);
  const bodies = [
    depositJson({ numeroReferencia, valor: 50_000 }),
    depositJson({ numeroReferencia }),
  ];
  for (const body of bodies) await postDeposit(payments, body);
  await untilSettled(payments);
  const [waits, taken] = await Promise.all(
    bodies.map(async ({ claveDePago }) => {
      const find = 'SELECT id FROM deposits WHERE clave_de_pago = $1';
      const [row] = await payments.rows<{ id: string }>(find, [claveDePago]);
      return row?.id;
    }),
  );
  const path = `/v1/admin/deposits/${taken}/unassign`;
  await payments.call(ops(), 'POST', path, { body: { reason: 'de otra tienda' } });
  const { cornerStoreId } = order;
  const open = await payments.call(service('accounts'), 'POST', '/internal/corner-store-debts', {
    body: { cornerStoreId },
  });
  expect(open.body).toMatchObject({ unmatchedCents: 5_000_000 });

  await erase(order);
  const kept = await payments.rows(
    "SELECT id, body = '' AS erased FROM deposits WHERE id = ANY ($1) ORDER BY valor_cents",
    [[waits, taken]],
  );
  expect(kept).toEqual([
    { id: taken, erased: false },
    { id: waits, erased: true },
  ]);
});

it('a report that contradicts a deposit is listed without its values after its payer was erased', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { numero_referencia: numeroReferencia } = await receivableOf(payments, order);
  const first = depositJson({ numeroReferencia });
  await postDeposit(payments, first);
  expect((await postDeposit(payments, { ...first, valor: 1 })).status).toBe(409);
  await untilSettled(payments);
  await erase(order);

  for (const search of ['', '?status=conflicting']) {
    const { status, body } = await payments.call(ops(), 'GET', `/v1/admin/deposits${search}`);
    expect([search, status]).toEqual([search, 200]);
    expect(body.deposits).toContainEqual(
      expect.objectContaining({
        conflicts: [
          expect.objectContaining({
            idFactura: '',
            numeroReferencia: '',
            valor: null,
            fechaPago: '',
            claveDePago: expect.stringMatching(/^erased-/),
          }),
        ],
      }),
    );
  }
});

it('a deposit that is reversed after its owner was erased is booked by its ids', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const depositId = await payFor(payments, order, 1058);
  await erase(order);
  const deposit = async (): Promise<object | undefined> => {
    const [row] = await payments.rows(
      'SELECT body, id_factura, clave_de_pago, status, valor_cents FROM deposits WHERE id = $1',
      [depositId],
    );
    return row;
  };
  const erased = { body: '', id_factura: '', valor_cents: 105_800 };
  const clave = expect.stringMatching(/^erased-[0-9a-f]{12}$/);
  expect(await deposit()).toEqual({ ...erased, clave_de_pago: clave, status: 'applied' });
  expect(await receivableOf(payments, order)).toMatchObject({ paid: true, outstanding: [0, 0, 0] });

  await reverse(payments, depositId);
  expect(await deposit()).toEqual({ ...erased, clave_de_pago: clave, status: 'reversed' });
  expect(await receivableOf(payments, order)).toMatchObject({
    paid: false,
    outstanding: [5_000, 800, 100_000],
  });
  expect(await brokenInvariants(payments)).toEqual([]);
});
