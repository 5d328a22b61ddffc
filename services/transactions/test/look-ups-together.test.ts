import { randomUUID } from 'node:crypto';
import { service } from '@fiado/chassis/testing/callers';
import { inOneBatch, statementsDuring } from '@fiado/chassis/testing/together';
import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

/** In the text of the statement. */
const OF_CREDIT_USE = 'SELECT corner_store_id, used_cents';

const transactions = forAllTests(startTransactions);

const createStores = (count: number): Promise<CornerStore[]> =>
  Promise.all(Array.from({ length: count }, () => transactions.createCornerStore()));

const creditUse = (...cornerStoreIds: string[]) =>
  transactions
    .call(service('accounts'), 'POST', '/internal/credit-use', { body: { cornerStoreIds } })
    .then(({ body }) => body.lines as object[]);

it('32 questions for the credit of one store are one statement, also while lines are locked', async () => {
  const stores = await createStores(15);
  const [locked] = stores;
  await transactions.order(locked as CornerStore);
  const ids = stores.map(({ cornerStoreId }) => cornerStoreId);
  await transactions.context.db.transaction(async (tx) => {
    await tx.connection.query('SELECT FROM credit_lines WHERE corner_store_id = $1 FOR UPDATE', [
      locked?.cornerStoreId,
    ]);
    const statements = await statementsDuring(transactions.context.db, OF_CREDIT_USE, async () => {
      const asked = [...ids, ...ids, randomUUID(), randomUUID()];
      const answers = await Promise.all(
        await inOneBatch(
          transactions.context.creditUse,
          asked.map((id) => () => creditUse(id)),
        ),
      );
      const expected = ids.map((cornerStoreId, n) => [
        { cornerStoreId, usedCents: n === 0 ? 100_000 : 0 },
      ]);
      expect(answers).toEqual([...expected, ...expected, [], []]);
    });
    expect(statements).toBe(1);
  });
});

it('one question is one statement, however many stores it is for', async () => {
  const [one, other] = await createStores(2);
  if (one === undefined || other === undefined) throw new Error('no stores');
  const { db } = transactions.context;
  expect(await statementsDuring(db, OF_CREDIT_USE, () => creditUse(one.cornerStoreId))).toBe(1);
  const many = () => creditUse(one.cornerStoreId, other.cornerStoreId, randomUUID());
  expect(await statementsDuring(db, OF_CREDIT_USE, many)).toBe(1);
  expect(await many()).toHaveLength(2);
});

it('links that are created together look their customers up by one statement', async () => {
  const stores = await createStores(4);
  const link = ({ caller }: CornerStore) =>
    transactions.call(caller, 'POST', '/v1/link/external/tienda-1', {
      body: { transaction: AN_ORDER },
    });
  const names = 'AS id FROM customers';
  const statements = await statementsDuring(transactions.context.db, names, async () => {
    const links = await inOneBatch(
      transactions.context.lanes.names,
      stores.map((store) => () => link(store)),
    );
    expect((await Promise.all(links)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });
  expect(statements).toBe(1);
});
