import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { orderOnHold } from './support/orders';
import {
  startTransactions,
  type CornerStore,
  type TransactionsService,
} from './support/transactions';

let transactions: TransactionsService;
let owner: Client;
beforeAll(async () => {
  transactions = await startTransactions();
  owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path = transactions');
});
afterAll(async () => {
  await owner.end();
  await transactions.stop();
});

async function deliver(store: CornerStore, amount: number): Promise<string> {
  const { transactionId } = await orderOnHold(transactions, store);
  const body = { status: 'delivery', transactionAmount: amount };
  const path = `/v1/transaction/${transactionId}`;
  expect((await transactions.call(store.caller, 'PUT', path, { body })).status).toBe(200);
  return transactionId;
}

const linesOf = (transactionId: string) =>
  transactions.rows(
    `SELECT l.wholesaler_id, kind, source_id, gross_cents, l.commission_cents, statement_id,
            recorded_at = t.delivered_at AS "isOfDelivery"
       FROM settlement_lines l JOIN transactions t ON t.id = transaction_id
      WHERE transaction_id = $1`,
    [transactionId],
  );

it('a delivery writes one line of what was delivered, less the commission on it', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId: undelivered } = await orderOnHold(transactions, store);

  const transactionId = await deliver(store, 800.25);

  expect(await linesOf(transactionId)).toEqual([
    {
      wholesaler_id: store.caller.id,
      kind: 'delivery',
      source_id: transactionId,
      gross_cents: 80_025,
      // 2 % are 1,600.5 cents.
      commission_cents: 1601,
      statement_id: null,
      isOfDelivery: true,
    },
  ]);
  expect(await linesOf(undelivered)).toEqual([]);
});

it('a delivery before the start of the settlement has no line', async () => {
  const store = await transactions.createCornerStore();
  await owner.query(`UPDATE settlement_start SET at = at + interval '1 hour'`);

  const transactionId = await deliver(store, 1000);

  await owner.query(`UPDATE settlement_start SET at = at - interval '1 hour'`);
  expect(await linesOf(transactionId)).toEqual([]);
});

const LINE = { wholesaler_id: randomUUID(), source_id: randomUUID() };

it.each([
  ['another amount', `UPDATE settlement_lines SET gross_cents = gross_cents + 1`],
  ['another statement', `UPDATE settlement_lines SET statement_id = uuidv7()`],
  ['no statement', `UPDATE settlement_lines SET statement_id = NULL`],
  ['no line', `DELETE FROM settlement_lines`],
  ['no table', `TRUNCATE settlement_lines`],
])('a line that has a statement keeps it, even if the owner sets %s', async (_, change) => {
  await owner.query(
    `INSERT INTO settlement_lines
       (wholesaler_id, kind, source_id, gross_cents, commission_cents, statement_id)
     VALUES ($1, 'adjustment', $2, 100, 0, uuidv7()) ON CONFLICT DO NOTHING`,
    [LINE.wholesaler_id, LINE.source_id],
  );
  const where = change.startsWith('TRUNCATE') ? '' : ` WHERE source_id = '${LINE.source_id}'`;

  await expect(owner.query(change + where)).rejects.toThrow('is refused');
});

it('the role of the service may not change an amount, and give no line that it writes a statement', async () => {
  await expect(transactions.rows('UPDATE settlement_lines SET gross_cents = 1')).rejects.toThrow(
    'permission denied',
  );
  await expect(
    transactions.rows(
      `INSERT INTO settlement_lines
         (wholesaler_id, kind, source_id, gross_cents, commission_cents, statement_id)
       VALUES (uuidv7(), 'adjustment', uuidv7(), 1, 0, uuidv7())`,
    ),
  ).rejects.toThrow('permission denied');
});
