import { transactionDelivered } from '@fiado/contracts/jobs/debts';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { payFor } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

it('the debts of the account page are those to one wholesaler, open ones first, with the API’s figures', async () => {
  const late = delivery({ dueAt: '2999-02-01T05:59:59.999Z' });
  const { userId, cornerStoreId, wholesalerId } = late;
  const own = { userId, cornerStoreId, wholesalerId };
  const soon = delivery({ ...own, dueAt: '2999-01-01T05:59:59.999Z' });
  const paid = delivery({ ...own, dueAt: '2999-03-01T05:59:59.999Z' });
  const others = delivery({ userId, cornerStoreId });
  for (const one of [late, soon, paid, others]) await deliverTransaction(payments, one);
  await payFor(payments, paid, 1058);

  const ask = (body: object) =>
    payments.call(service('gateway'), 'POST', '/internal/debts', { body });
  const { body } = await ask({ userId, wholesalerId });
  const shown = await Promise.all(
    [soon, late, paid].map(async ({ transactionId }) => {
      const path = `/v1/transaction/${transactionId}/payment`;
      return (await payments.call(wholesaler(wholesalerId), 'GET', path)).body;
    }),
  );
  expect(body).toEqual({ debts: shown, timeZone: 'America/Mexico_City' });
  const { id_factura: foreign } = await receivableOf(payments, others);
  expect(JSON.stringify(body)).not.toContain(foreign);
  expect((await ask({ userId, wholesalerId: 'x' })).status).toBe(400);
});

it('the total of the account page has the debts that it does not list', async () => {
  const { userId, cornerStoreId, wholesalerId } = delivery();
  for (let debts = 0; debts < 103; debts += 1) {
    const dueAt = '2999-01-01T05:59:59.999Z';
    const one = delivery({ userId, cornerStoreId, wholesalerId, dueAt });
    await payments.handle(transactionDelivered, { id: one.transactionId, version: 1 }, one);
  }
  const { body } = await payments.call(service('gateway'), 'POST', '/internal/debts', {
    body: { userId, wholesalerId },
  });
  expect(body.debts).toHaveLength(100);
  expect(body.unlisted).toEqual({ debts: 3, amountDue: 3 * 1058, overdueAmount: 0 });
});
