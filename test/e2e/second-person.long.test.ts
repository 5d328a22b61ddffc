import { randomUUID } from 'node:crypto';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { dayAfter } from '@fiado/contracts/clock';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';
import {
  createWholesaler,
  startAccounts,
  type Accounts,
} from '../../services/accounts/test/support/accounts';
import {
  approveChange,
  CHANGE_REQUESTS,
  newStore,
  person,
  updateStore,
} from '../../services/accounts/test/support/change-requests';
import { deliverOverdue, detect, payFor } from '../../services/payments/test/support/defaults';
import { payoutCalls } from '../../services/payments/test/support/payouts';
import { receivableOf } from '../../services/payments/test/support/receivable';
import { startPayments, type PaymentsService } from '../../services/payments/test/support/service';
import {
  closeAndPay,
  closeNow,
  decideChange,
  deliveredOrder,
} from '../../services/transactions/test/support/statements';
import {
  startTransactions,
  type TransactionsService,
} from '../../services/transactions/test/support/transactions';
import { oneOf, randomOf } from './support/random';

/** Requests and decisions at a time, and how many of them each worker makes. */
const WORKERS = 8;
const ACTS = 60;
/** Postgres reports the deadlocks of a connection this long after it at the latest. */
const REPORTED_AFTER_MS = 2_000;

let database: Awaited<ReturnType<typeof startTemporaryPostgres>>;
beforeAll(async () => {
  database = await startTemporaryPostgres({ maxConnections: 200 });
});
afterAll(() => database.stop());

const random = randomOf(Date.now());
const ana = staffMember('approver', new Date(), randomUUID());
const luis = staffMember('approver', new Date(), randomUUID());

/** Makes random acts, many at a time. What one of them is answered does not count. */
async function together(acts: Array<() => Promise<unknown>>): Promise<void> {
  const worker = async () => {
    for (let act = 0; act < ACTS; act += 1) await oneOf(random, acts)().catch(() => undefined);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

async function deadlocks({ rows }: Pick<TransactionsService, 'rows'>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_AFTER_MS));
  const [row] = await rows<{ deadlocks: number }>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

it('no deadlock among requests and decisions on what wholesalers are paid', async () => {
  const transactions = await startTransactions({}, { ownServerUrl: database.url });
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });
  const paidOut = await deliveredOrder(transactions, store, 5_000);
  await closeAndPay(transactions, store);
  await deliveredOrder(transactions, store, 500);
  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  const ask = (by: typeof ana, path: string, body: object): Promise<Answer> =>
    transactions.call(by, 'POST', `/v1/admin/${path}`, { body });
  const oneWaiting = async () => {
    const [row] = await transactions.rows<{ id: string }>(
      'SELECT change_request_id AS id FROM waiting_changes ORDER BY random() LIMIT 1',
    );
    return row?.id ?? randomUUID();
  };
  const paidOn = dayAfter(new Date(), 'America/Mexico_City').date;
  const note = { amount: 1, reason: 'return' };
  const clawback = { wholesalerId: store.caller.id, transactionId: paidOut, kind: 'clawback' };
  await together([
    () =>
      transactions.call(store.caller, 'POST', `/v1/transaction/${paidOut}/credit-notes`, {
        body: note,
      }),
    () => ask(ana, 'settlement-adjustments', { ...clawback, amount: 1, reason: 'Falsa' }),
    () =>
      ask(oneOf(random, [ana, luis]), `statements/${statementId}/mark-paid`, {
        bankReference: randomUUID(),
        paidOn,
      }),
    () => ask(luis, `statements/${statementId}/mark-returned`, { reason: 'CLABE' }),
    async () => decideChange(transactions, await oneWaiting(), true),
    async () => decideChange(transactions, await oneWaiting(), true),
    async () => decideChange(transactions, await oneWaiting(), false),
  ]);
  expect(await deadlocks(transactions)).toBe(0);
  await transactions.stop();
});

it('no deadlock among requests and decisions on deposits, payouts and debts', async () => {
  const payments: PaymentsService = await startPayments({ ownServerUrl: database.url });
  const { payOut, returned, withBalance } = payoutCalls(payments);
  const store = await withBalance(5_000);
  const { cornerStoreId, userId, depositId } = store;
  const debt = await deliverOverdue(payments, { cornerStoreId: randomUUID() });
  await detect(payments);
  const { id: receivableId } = await receivableOf(payments, debt);
  const other = await payFor(payments, store.order, 300);
  const ask = (path: string, by = oneOf(random, [ana, luis])) =>
    payments.call(by, 'POST', `/v1/admin/${path}`, { body: { reason: 'devuelto' } });
  const oneOfTable = async (text: string) =>
    (await payments.rows<{ id: string; target: string }>(`${text} ORDER BY random() LIMIT 1`))[0];
  const isApproved = () => oneOf(random, [true, false, false]);
  const tell = async (subject: 'deposit' | 'payout' | 'receivable', kind: string) => {
    const one = await oneOfTable(
      `SELECT change_request_id AS id, target_id AS target FROM waiting_changes WHERE kind LIKE '${kind}'`,
    );
    if (one === undefined) return;
    const data = { changeRequestId: one.id, targetId: one.target, isApproved: isApproved() };
    await payments.handle(CHANGE_JOBS[subject].decided, { id: one.id, version: 1 }, data);
  };
  await together([
    () => payOut({ cornerStoreId }, 1, { by: ana }),
    async () => {
      const one = await oneOfTable(
        `SELECT id, user_id AS target FROM payouts WHERE status = 'paid'`,
      );
      return one && returned({ cornerStoreId }, one.id, ana);
    },
    () => ask(`deposits/${depositId}/unassign`),
    () => ask(`deposits/${other}/reverse`),
    () => ask(`receivables/${receivableId}/write-off`),
    () => payFor(payments, { transactionId: debt.transactionId }, 1),
    () => tell('payout', 'payout.pay'),
    () => tell('payout', 'payout.return'),
    () => tell('deposit', 'deposit.%'),
    () => tell('receivable', 'receivable.%'),
  ]);
  expect(userId).toBe(store.userId);
  expect(await deadlocks(payments)).toBe(0);
  await payments.stop();
});

it('no deadlock among requests and decisions on stores and wholesalers', async () => {
  const accounts: Accounts = await startAccounts({ ownServerUrl: database.url });
  const { wholesalerId } = await createWholesaler(accounts);
  const storeId = await newStore(accounts, wholesalerId);
  const [eva, leo] = [person(), person('admin')];
  const oneWaiting = async () => {
    const [row] = await accounts.rows<{ id: string }>(
      `SELECT id FROM change_requests WHERE status = 'pending' ORDER BY random() LIMIT 1`,
    );
    return row?.id ?? randomUUID();
  };
  const pesos = () => 5_000 + oneOf(random, [-100, 50_000, 60_000, 70_000]);
  await together([
    () => updateStore(accounts, eva, storeId, { creditLimit: pesos() }),
    () => updateStore(accounts, leo, storeId, { interestRate: oneOf(random, [0.05, 0.06, 0.07]) }),
    () =>
      accounts.call(leo, 'PUT', `/v1/admin/wholesalers/${wholesalerId}`, {
        body: { paymentTermDays: oneOf(random, [14, 15, 16, 30]) },
      }),
    async () => approveChange(accounts, await oneWaiting()),
    async () => approveChange(accounts, await oneWaiting(), person('admin')),
    async () =>
      accounts.call(person('admin'), 'POST', `${CHANGE_REQUESTS}/${await oneWaiting()}/reject`, {
        body: { reason: 'No' },
      }),
    () => accounts.call(ops('viewer'), 'GET', CHANGE_REQUESTS),
  ]);
  expect(await deadlocks(accounts)).toBe(0);
  await accounts.stop();
});
