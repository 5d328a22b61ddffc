import { randomBytes, randomUUID } from 'node:crypto';
import { personErase } from '@fiado/contracts/jobs/privacy';
import { brokenInvariants, payFor, reverse } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

it('a deposit that is reversed after its owner was erased is booked by its ids', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const depositId = await payFor(payments, order, 1058);
  const { userId, cornerStoreId } = order;
  const ids = { userId, cornerStoreId, objectIds: [], phoneIndexes: [] };
  const nameKey = randomBytes(32).toString('base64');
  await payments.deliver(
    personErase,
    { id: randomUUID(), version: 1 },
    { erasureId: randomUUID(), phase: 'suppress', ...ids, nameKey },
  );
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
