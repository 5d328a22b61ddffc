import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { transactionsService } from '../src/service';
import { brokenInvariants } from './support/invariants';
import { credit as creditOf } from './support/credit-notes';
import { closeAndPay, decideChange, deliveredOrder, failureOfChange } from './support/statements';
import {
  type CornerStore,
  startTransactions,
  type TransactionsService,
} from './support/transactions';

let transactions: TransactionsService;
beforeAll(async () => {
  transactions = await startTransactions();
});
afterAll(async () => {
  expect(await brokenInvariants(transactions)).toEqual([]);
  await transactions.stop();
});

const credit = (store: CornerStore, transactionId: string, body: object) =>
  creditOf(transactions, store, transactionId, { body });

async function listOf({ caller }: CornerStore, transactionId: string) {
  const path = `/v1/transaction/${transactionId}/credit-notes`;
  const { body } = await transactions.call(caller, 'GET', path);
  return body;
}

/** What the wholesaler was told of notes that it did not get. */
async function refusalsTo({ caller }: CornerStore) {
  const presenters = transactionsService.events?.(transactions.context.config);
  const events = await eventsOf(transactions, presenters, caller.id);
  return events
    .filter(({ type }) => type === 'transaction.credit-note-refused')
    .map(({ data }) => data);
}

/** A note of 100 pesos that waits, because its order's money is out. */
async function waitingNote() {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });
  const transactionId = await deliveredOrder(transactions, store, 500);
  await closeAndPay(transactions, store);
  await switchEvents(transactions, store.caller.id);
  const asked = await credit(store, transactionId, { amount: 100, reference: 'DEV-7' });
  expect(asked.status).toBe(202);
  const { changeRequestId } = asked.body as { changeRequestId: string };
  const request = {
    changeRequestId,
    transactionId,
    amount: 100,
    reason: 'return',
    reference: 'DEV-7',
    failure: null,
    requestedAt: expect.any(String),
  };
  return { store, transactionId, changeRequestId, request };
}

it('a note that waits is listed as pending, and no longer once it is booked', async () => {
  const { store, transactionId, changeRequestId, request } = await waitingNote();
  expect(await listOf(store, transactionId)).toEqual({
    creditNotes: [],
    requests: [{ ...request, status: 'pending', decidedAt: null }],
  });
  await decideChange(transactions, changeRequestId);
  expect(await listOf(store, transactionId)).toMatchObject({
    creditNotes: [{ reference: 'DEV-7' }],
    requests: [],
  });
  expect(await refusalsTo(store)).toEqual([]);
});

it('its wholesaler is told once that it was rejected, and may ask again', async () => {
  const { store, transactionId, changeRequestId, request } = await waitingNote();
  await decideChange(transactions, changeRequestId, false);
  await decideChange(transactions, changeRequestId, false);

  const rejected = { ...request, status: 'rejected', decidedAt: expect.any(String) };
  expect(await listOf(store, transactionId)).toEqual({ creditNotes: [], requests: [rejected] });
  expect(await refusalsTo(store)).toEqual([{ ...rejected, version: 1 }]);
  const again = await credit(store, transactionId, { amount: 100, reference: 'DEV-7' });
  expect(again.status).toBe(202);
  const { requests } = await listOf(store, transactionId);
  expect(requests).toMatchObject([
    { status: 'rejected' },
    { status: 'pending', changeRequestId: again.body.changeRequestId },
  ]);
});

it('that nobody decided', async () => {
  const { store, transactionId, changeRequestId, request } = await waitingNote();
  await transactions.handle(
    CHANGE_JOBS.settlement.decided,
    { id: changeRequestId, version: 1 },
    { changeRequestId, isApproved: false },
  );
  const expired = { ...request, status: 'expired', decidedAt: expect.any(String) };
  expect(await listOf(store, transactionId)).toEqual({ creditNotes: [], requests: [expired] });
  expect(await refusalsTo(store)).toEqual([{ ...expired, version: 1 }]);
});

it('that it was approved and can no longer be booked', async () => {
  const { store, transactionId, changeRequestId, request } = await waitingNote();
  const clawback = await transactions.call(
    ops('approver'),
    'POST',
    '/v1/admin/settlement-adjustments',
    {
      body: {
        wholesalerId: store.caller.id,
        transactionId,
        kind: 'clawback',
        amount: 450,
        reason: 'Entrega falsa',
      },
    },
  );
  await decideChange(transactions, clawback.body.changeRequestId);
  await decideChange(transactions, changeRequestId);

  const failure = 'CREDIT_NOTE_AMOUNT_NOT_ALLOWED';
  expect(await failureOfChange(transactions, changeRequestId)).toBe(failure);
  const failed = { ...request, status: 'failed', failure, decidedAt: expect.any(String) };
  expect(await listOf(store, transactionId)).toEqual({ creditNotes: [], requests: [failed] });
  expect(await refusalsTo(store)).toEqual([{ ...failed, version: 1 }]);
});

it('that another note of the order took its place', async () => {
  const { store, transactionId, request } = await waitingNote();
  await deliveredOrder(transactions, store, 500);
  const body = { amount: 20, reason: 'price' };
  const path = `/v1/admin/transactions/${transactionId}/credit-notes`;
  expect((await transactions.call(ops('operator'), 'POST', path, { body })).status).toBe(201);

  const replaced = { ...request, status: 'replaced', decidedAt: expect.any(String) };
  expect(await listOf(store, transactionId)).toMatchObject({
    creditNotes: [{ amount: 20 }],
    requests: [replaced],
  });
  expect(await refusalsTo(store)).toEqual([{ ...replaced, version: 1 }]);
});

it('a note that ops asked for concerns the lender alone', async () => {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });
  const transactionId = await deliveredOrder(transactions, store, 30_000);
  await switchEvents(transactions, store.caller.id);
  const path = `/v1/admin/transactions/${transactionId}/credit-notes`;
  const asked = await transactions.call(ops('operator', randomUUID()), 'POST', path, {
    body: { amount: 20_000, reason: 'other' },
  });
  expect(asked.status).toBe(202);
  const nothing = { creditNotes: [], requests: [] };
  expect(await listOf(store, transactionId)).toEqual(nothing);
  await decideChange(transactions, asked.body.changeRequestId, false);
  expect(await listOf(store, transactionId)).toEqual(nothing);
  expect(await refusalsTo(store)).toEqual([]);
});
