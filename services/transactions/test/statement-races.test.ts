import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ops } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { newId } from '@fiado/contracts/new-id';
import { closeStatement } from '../src/statements/close-statements';
import { decideSettlementChange } from '../src/statements/decide-settlement-change';
import { afterTheLastLine, closeNow, deliveredOrder } from './support/statements';
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

const HEAD = 'SELECT FROM settlement_heads WHERE wholesaler_id = $1 FOR UPDATE';
const ORDER = 'SELECT FROM transactions WHERE id = $1 FOR NO KEY UPDATE';
/** Each has read what is left of its order when it waits here. */
const ADJUSTMENTS = 'LOCK TABLE settlement_adjustments IN SHARE MODE';

/** How many statements of this service wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await transactions.rows<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

/** Begins each work behind a lock, where the one before it waits already. */
async function behindLock<Result>(
  [lock, ...values]: [lock: string, id?: string],
  works: Array<() => Promise<Result>>,
): Promise<Array<PromiseSettledResult<Result>>> {
  const begun: Array<Promise<Array<PromiseSettledResult<Result>>>> = [];
  let over = 0;
  await owner.query('BEGIN');
  try {
    await owner.query(lock, values);
    for (const work of works) {
      begun.push(
        Promise.allSettled([work()]).finally(() => {
          over += 1;
        }),
      );
      await until('it waits or is over', async () => over + (await waiting()) >= begun.length);
    }
  } finally {
    await owner.query('COMMIT');
  }
  return (await Promise.all(begun)).flat();
}

// A statement waits two seconds for a lock. On a busy machine the second one may begin later than that.
jest.retryTimes(4);

it('of two closings at once one closes, and the other answers the same statement', async () => {
  const store = await transactions.createCornerStore();
  const wholesalerId = store.caller.id;
  await deliveredOrder(transactions, store, 500);
  await closeNow(transactions, store);
  await deliveredOrder(transactions, store, 500);
  const now = new Date(await afterTheLastLine());
  const close = () => closeStatement(transactions.context, wholesalerId, now);

  const outcomes = await behindLock([HEAD, wholesalerId], [close, close]);

  expect(outcomes).toMatchObject([{ value: { number: 2 } }, { value: { number: 2 } }]);
  const heads = await transactions.rows(
    'SELECT last_number FROM settlement_heads WHERE wholesaler_id = $1',
    [wholesalerId],
  );
  expect(heads).toEqual([{ last_number: 2 }]);
});

/** A clawback of an order that waits for its second person. @returns what approves it */
async function requestClawback(
  { caller }: CornerStore,
  transactionId: string,
): Promise<() => Promise<void>> {
  const asked = await transactions.call(
    ops('approver'),
    'POST',
    '/v1/admin/settlement-adjustments',
    {
      body: {
        wholesalerId: caller.id,
        transactionId,
        kind: 'clawback',
        amount: 300,
        reason: 'Entrega falsa',
      },
    },
  );
  expect(asked.status).toBe(202);
  const { changeRequestId } = asked.body;
  const decision = { changeRequestId, isApproved: true, decidedBy: randomUUID() };
  return () => decideSettlementChange(transactions.context, newId(), decision);
}

/** The kinds of the corrections of an order that were made. */
async function correctionsOf(transactionId: string) {
  const lines = await transactions.rows<{ kind: string }>(
    `SELECT kind FROM settlement_lines WHERE transaction_id = $1 AND kind <> 'delivery'`,
    [transactionId],
  );
  return lines.map(({ kind }) => kind);
}

describe('corrections of one order at once take at most what was delivered', () => {
  it('two clawbacks', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 500);
    const clawbacks = [
      await requestClawback(store, transactionId),
      await requestClawback(store, transactionId),
    ];

    await behindLock([ADJUSTMENTS], clawbacks);

    expect(await correctionsOf(transactionId)).toEqual(['clawback']);
  });

  it('a credit note and a clawback', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 500);
    const clawback = await requestClawback(store, transactionId);
    const note = () =>
      transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/credit-notes`, {
        body: { amount: 300, reason: 'return' },
      });

    await behindLock<unknown>([ORDER, transactionId], [note, clawback]);

    expect(await correctionsOf(transactionId)).toEqual(['credit-note']);
  });
});
