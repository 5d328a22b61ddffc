import { randomUUID } from 'node:crypto';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { behindLock } from '@fiado/chassis/testing/behind-lock';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { dayAfter } from '@fiado/contracts/clock';
import { newId } from '@fiado/contracts/new-id';
import { forAllTests } from '../../../test/support/for-all-tests';
import { closeStatement } from '../src/statements/close-statements';
import { decideSettlementChange } from '../src/statements/decide-settlement-change';
import {
  afterTheLastLine,
  closeAndPay,
  closeNow,
  decideChange,
  deliveredOrder,
} from './support/statements';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const HEAD = 'SELECT FROM transactions.settlement_heads WHERE wholesaler_id = $1 FOR UPDATE';
const ORDER = 'SELECT FROM transactions.transactions WHERE id = $1 FOR NO KEY UPDATE';
/** Each has read what is left of its order when it waits here. */
const ADJUSTMENTS = 'LOCK TABLE transactions.settlement_adjustments IN SHARE MODE';

// On a busy machine the second work may begin later than the first one waits.
jest.retryTimes(4);

it('of two closings at once one closes, and the other answers the same statement', async () => {
  const store = await transactions.createCornerStore();
  const wholesalerId = store.caller.id;
  await deliveredOrder(transactions, store, 500);
  await closeNow(transactions, store);
  await deliveredOrder(transactions, store, 500);
  const now = new Date(await afterTheLastLine());
  const close = () => closeStatement(transactions.context, wholesalerId, now);

  const outcomes = await behindLock(transactions, [HEAD, wholesalerId], [close, close]);

  expect(outcomes).toMatchObject([{ value: { number: 2 } }, { value: { number: 2 } }]);
  const heads = await transactions.rows(
    'SELECT last_number FROM settlement_heads WHERE wholesaler_id = $1',
    [wholesalerId],
  );
  expect(heads).toEqual([{ last_number: 2 }]);
});

/** Kind, amount in cents and statement of each line of a wholesaler. */
async function linesOf({ caller }: CornerStore) {
  const lines = await transactions.rows<{ kind: string; cents: number; number: number | null }>(
    `SELECT l.kind, l.gross_cents::int AS cents, s.number
       FROM settlement_lines l LEFT JOIN statements s ON s.id = l.statement_id
      WHERE l.wholesaler_id = $1 ORDER BY l.id`,
    [caller.id],
  );
  return lines.map(({ kind, cents, number }) => [kind, cents, number]);
}

/** Each has counted its lines when it waits here. */
const STATEMENTS = 'LOCK TABLE transactions.statements IN SHARE MODE';
/** A note has written its line when it waits here, and has not committed it. */
const OUTBOX = 'LOCK TABLE transactions.outbox IN SHARE MODE';

it.each([
  ['while a closing has counted its lines', STATEMENTS],
  ['before a closing, and commits behind it', OUTBOX],
])('a note that is booked %s is on the next statement, once', async (_words, lock) => {
  const store = await transactions.createCornerStore();
  const wholesalerId = store.caller.id;
  const transactionId = await deliveredOrder(transactions, store, 500);
  // The note is older than the end of the period, and commits too late for it.
  const end = new Date(Date.now() + 3_600_000);
  const close = () => closeStatement(transactions.context, wholesalerId, end);
  const note = () =>
    transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/credit-notes`, {
      body: { amount: 100, reason: 'return' },
    });

  await behindLock<unknown>(transactions, [lock], lock === OUTBOX ? [note, close] : [close, note]);

  expect(await linesOf(store)).toEqual([
    ['delivery', 50_000, 1],
    ['credit-note', -10_000, null],
  ]);
  await closeStatement(transactions.context, wholesalerId, new Date(end.getTime() + 1));
  expect(await linesOf(store)).toEqual([
    ['delivery', 50_000, 1],
    ['credit-note', -10_000, 2],
  ]);
  const statements = await transactions.rows(
    'SELECT number, lines, gross_cents::int FROM statements WHERE wholesaler_id = $1 ORDER BY number',
    [wholesalerId],
  );
  expect(statements).toEqual([
    { number: 1, lines: 1, gross_cents: 50_000 },
    { number: 2, lines: 1, gross_cents: -10_000 },
  ]);
});

/** A note has summed the lines of before when it waits here. */
const WHOLESALER = 'SELECT FROM transactions.wholesalers WHERE wholesaler_id = $1 FOR UPDATE';

describe('a draft that is older than ten minutes', () => {
  /** An order of 500 pesos whose money is out, and as much in the draft, of an hour ago. */
  async function olderDraft() {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 500);
    await closeAndPay(transactions, store);
    await pastTriggers(
      `UPDATE transactions.settlement_lines SET recorded_at = recorded_at - interval '1 hour'
        WHERE transaction_id = '${await deliveredOrder(transactions, store, 500)}'`,
    );
    const note = () =>
      transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/credit-notes`, {
        body: { amount: 500, reason: 'return' },
      });
    return { store, note };
  }

  it('pays for a note', async () => {
    const { note } = await olderDraft();
    expect((await note()).status).toBe(201);
  });

  it('does not, once it was closed and paid while the note was decided', async () => {
    const { store, note } = await olderDraft();
    const [noted] = await behindLock<unknown>(
      transactions,
      [WHOLESALER, store.caller.id],
      [note, () => closeAndPay(transactions, store)],
    );
    expect(noted).toMatchObject({ value: { status: 202 } });
  });
});

/** As the owner, past the triggers that keep lines as they are. */
async function pastTriggers(statement: string): Promise<void> {
  const connectionString = transactions.ownerUrl;
  const session = { connectionString, options: '-c session_replication_role=replica' };
  await asOwner(session, (owner) => owner.query(statement));
}

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

    await behindLock(transactions, [ADJUSTMENTS], clawbacks);

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

    await behindLock<unknown>(transactions, [ORDER, transactionId], [note, clawback]);

    expect(await correctionsOf(transactionId)).toEqual(['credit-note']);
  });
});

describe('of a request and a decision on one target at once neither ends in a deadlock:', () => {
  const ana = staffMember('approver', new Date(), randomUUID());

  /** An order whose money is out: what its wholesaler credits waits. @returns what asks for a credit, and the request that waits */
  async function waitingNote() {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 500);
    await closeAndPay(transactions, store);
    const ask = (amount: number) =>
      transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/credit-notes`, {
        body: { amount, reason: 'return' },
      });
    const { changeRequestId } = (await ask(100)).body;
    return { transactionId, ask, changeRequestId };
  }

  it.each([
    ['approved', true],
    ['rejected', false],
  ])('a credit note that is %s', async (_words, isApproved) => {
    const { transactionId, ask, changeRequestId } = await waitingNote();
    const outcomes = await behindLock<unknown>(
      transactions,
      [ORDER, transactionId],
      [() => ask(200), () => decideChange(transactions, changeRequestId, isApproved)],
    );
    expect(outcomes).toMatchObject([
      {
        status: 'fulfilled',
        value: { status: 409, body: { errorCode: 'CHANGE_ALREADY_REQUESTED' } },
      },
      { status: 'fulfilled' },
    ]);
  });

  it('a payment of a statement', async () => {
    const store = await transactions.createCornerStore();
    await deliveredOrder(transactions, store, 500);
    const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
    const paidOn = dayAfter(new Date(), 'America/Mexico_City').date;
    const ask = () =>
      transactions.call(ana, 'POST', `/v1/admin/statements/${statementId}/mark-paid`, {
        body: { bankReference: randomUUID(), paidOn },
      });
    const { changeRequestId } = (await ask()).body;

    const outcomes = await behindLock<unknown>(
      transactions,
      ['SELECT FROM transactions.statements WHERE id = $1 FOR UPDATE', statementId],
      [ask, () => decideChange(transactions, changeRequestId)],
    );
    expect(outcomes).toMatchObject([
      {
        status: 'fulfilled',
        value: { status: 409, body: { errorCode: 'CHANGE_ALREADY_REQUESTED' } },
      },
      { status: 'fulfilled' },
    ]);
  });
});
