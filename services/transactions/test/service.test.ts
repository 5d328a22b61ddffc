import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER, codeOf } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('a service', () => {
  it('refuses a call without the internal token, and one of another kind', async () => {
    const path = '/v1/transaction';
    const none = await transactions.call(undefined, 'POST', path, { body: AN_ORDER });
    expect([none.status, none.body.errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect(none.headers.get('www-authenticate')).not.toBeNull();

    const ops = { kind: 'ops' as const, id: 'ops', name: 'ops', scopes: [] };
    const other = await transactions.call(ops, 'POST', path, { body: AN_ORDER });
    expect([other.status, other.body.errorCode]).toEqual([403, 'FORBIDDEN']);
  });

  it('keeps no code in its database', async () => {
    const store = await transactions.createCornerStore();
    const { body } = await transactions.order(store);
    const code = await codeOf(transactions, body.transactionId);
    const rows = await transactions.rows<{ text: string }>(
      `SELECT outbox::text FROM outbox UNION ALL SELECT verifications::text FROM verifications
       UNION ALL SELECT transactions::text FROM transactions`,
    );
    expect(
      rows.filter((row) => new RegExp(`(?<!\\d)${code}(?!\\d)`).test(Object.values(row)[0] ?? '')),
    ).toEqual([]);
  });
});
