import { randomUUID } from 'node:crypto';
import { ops, service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deposit, type DepositJson } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

/** What is listed for a store, by the reference that was typed. */
async function possible(cornerStoreId: string): Promise<unknown[]> {
  const path = `/v1/admin/corner-stores/${cornerStoreId}/possible-deposits`;
  const { status, body } = await payments.call(ops('viewer'), 'GET', path);
  expect(status).toBe(200);
  return body.deposits.map((one: DepositJson & { reasons: string[] }) => [
    one.numeroReferencia,
    one.reasons,
  ]);
}

it('the deposits of a store have a reference that is one slip away, or exactly what it owes', async () => {
  const store = { userId: randomUUID(), cornerStoreId: randomUUID() };
  const debts = [333_33, 111_11].map((principalCents) =>
    delivery({ ...store, principalCents, interestCents: 0, ivaCents: 0 }),
  );
  for (const debt of debts) await deliverTransaction(payments, debt);
  const { numero_referencia: own, id_factura: invoice } = await receivableOf(
    payments,
    debts[0] ?? delivery(),
  );
  const wrong = `${own.slice(0, -1)}${(Number(own.at(-1)) + 1) % 10}`;
  const missing = invoice.slice(0, 5) + invoice.slice(6);
  await deposit(payments, { numeroReferencia: wrong, valor: 5 });
  await deposit(payments, { numeroReferencia: missing, valor: 333.33 });
  await deposit(payments, { numeroReferencia: 'uno', valor: 111.11 });
  await deposit(payments, { numeroReferencia: 'todo', valor: 444.44 });
  await deposit(payments, { numeroReferencia: 'nada', valor: 444.45 });
  expect(await possible(store.cornerStoreId)).toEqual([
    [missing, ['similar-reference', 'amount']],
    [wrong, ['similar-reference']],
    ['todo', ['amount']],
    ['uno', ['amount']],
  ]);
});

it('a store that never had a delivery has none', async () => {
  expect(await possible(randomUUID())).toEqual([]);
});

it('the search finds an amount: unmatched deposits and open debts of exactly that much', async () => {
  const order = delivery({ principalCents: 123_456, interestCents: 0, ivaCents: 0 });
  await deliverTransaction(payments, order);
  await deposit(payments, { valor: 1234.56 });
  for (const text of ['$1,234.56', '1234.56']) {
    const path = '/internal/search';
    const { body } = await payments.call(service('accounts'), 'POST', path, { body: { text } });
    expect(body.hits).toMatchObject([
      { kind: 'deposit', matchedBy: 'amount', label: 'sin referencia' },
      { kind: 'transaction', matchedBy: 'amount', id: order.transactionId },
    ]);
  }
});
