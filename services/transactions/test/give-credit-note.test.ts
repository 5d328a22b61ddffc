import { randomUUID } from 'node:crypto';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { brokenInvariants } from './support/invariants';
import { credit as creditOf } from './support/credit-notes';
import { outcomeOf } from './support/orders';
import {
  clawBack,
  closeAndPay,
  closeNow,
  decideChange,
  deliveredOrder,
  failureOfChange,
  today,
} from './support/statements';
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

const ana = staffMember('operator', new Date(), randomUUID());
const machine = ops('operator', randomUUID());

/** A store that may owe 100,000 pesos. */
const largeStore = () =>
  transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });
const pathOf = (transactionId: string) => `transaction/${transactionId}/credit-notes`;

/** Ops credits goods of an order. */
const give = (transactionId: string, body: object, by = ana, headers = {}) =>
  transactions.call(by, 'POST', `/v1/admin/transactions/${transactionId}/credit-notes`, {
    body: { reason: 'damaged', ...body },
    headers,
  });
/** Its wholesaler does. */
const credit = (store: CornerStore, transactionId: string, body: object, headers = {}) =>
  creditOf(transactions, store, transactionId, { body, headers });
const notesOf = async ({ caller }: CornerStore, transactionId: string) =>
  (await transactions.call(caller, 'GET', `/v1/${pathOf(transactionId)}`)).body.creditNotes;
const creatorsOf = (transactionId: string) =>
  transactions.rows<{ by: string }>(
    'SELECT created_by AS by FROM credit_notes WHERE transaction_id = $1 ORDER BY number',
    [transactionId],
  );

/** An order whose statement is paid: what its wholesaler credits of it has to come back. */
async function paidOut(store: CornerStore, amount = 500): Promise<string> {
  const transactionId = await deliveredOrder(transactions, store, amount);
  await closeAndPay(transactions, store);
  return transactionId;
}

describe('ops', () => {
  it('credits an order of any wholesaler at once, which is audited', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 1000);
    const headers = { 'Idempotency-Key': randomUUID() };
    const given = await give(transactionId, { amount: 120 }, ana, headers);
    const again = await give(transactionId, { amount: 120 }, ana, headers);

    expect(given.status).toBe(201);
    expect(given.body).toMatchObject({ amount: 120, reason: 'damaged', reference: null });
    expect([again.status, again.body]).toEqual([201, given.body]);
    expect(await notesOf(store, transactionId)).toEqual([given.body]);
    expect(await creatorsOf(transactionId)).toEqual([{ by: ana.id }]);
    const audited = await transactions.outbox('audit.recorded');
    const { creditNoteId } = given.body;
    expect(audited.map(({ data }) => data)).toContainEqual({
      actorKind: 'ops',
      actorId: ana.id,
      action: 'credit-note.given',
      objectId: transactionId,
      details: { creditNoteId, amountCents: 12_000, reason: 'damaged' },
    });
  });

  it.each([
    ['a person', ana],
    ['a key', machine],
  ])(
    '%s needs a second one above 10,000 pesos of an order, in one note or in several',
    async (_, by) => {
      const store = await largeStore();
      const transactionId = await deliveredOrder(transactions, store, 30_000);
      const first = await give(transactionId, { amount: 9_000 }, by);
      const asked = await give(transactionId, { amount: 1_000.01 }, by);
      const [again, other] = [
        await give(transactionId, { amount: 1_000.01 }, by),
        await give(transactionId, { amount: 2_000 }, by),
      ];
      expect([first.status, asked.status, again.body]).toEqual([201, 202, asked.body]);
      expect(outcomeOf(other)).toBe('409 CHANGE_ALREADY_REQUESTED');
      expect(other.body.changeRequestId).toBe(asked.body.changeRequestId);
      expect(await notesOf(store, transactionId)).toHaveLength(1);
      const requests = await transactions.outbox('settlement-change.requested');
      expect(requests.map(({ data }) => data)).toContainEqual({
        changeRequestId: asked.body.changeRequestId,
        kind: 'credit-note.give',
        targetId: transactionId,
        payload: {
          wholesalerId: store.caller.id,
          amountCents: 100_001,
          reason: 'damaged',
          reference: null,
        },
        before: {},
        requestedBy: by.id,
      });

      await decideChange(transactions, asked.body.changeRequestId);
      expect(await failureOfChange(transactions, asked.body.changeRequestId)).toBeUndefined();
      expect(await notesOf(store, transactionId)).toMatchObject([
        { amount: 9_000 },
        { amount: 1_000.01 },
      ]);
      expect(await creatorsOf(transactionId)).toEqual([{ by: by.id }, { by: by.id }]);
    },
  );

  it('a note that was asked for fails when the order was credited meanwhile', async () => {
    const store = await largeStore();
    const transactionId = await deliveredOrder(transactions, store, 30_000);
    const asked = await give(transactionId, { amount: 20_000 });
    expect(asked.status).toBe(202);
    expect((await credit(store, transactionId, { amount: 1 })).status).toBe(201);

    await decideChange(transactions, asked.body.changeRequestId);

    const failure = await failureOfChange(transactions, asked.body.changeRequestId);
    expect(failure).toBe('CHANGE_TARGET_CHANGED');
    expect(await notesOf(store, transactionId)).toMatchObject([{ amount: 1 }]);
    // Another one may be asked for at once.
    const next = await give(transactionId, { amount: 29_999 });
    await decideChange(transactions, next.body.changeRequestId);
    expect(await notesOf(store, transactionId)).toHaveLength(2);
  });

  it('is refused what cannot be credited, and a viewer and wholesalers are refused', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await deliveredOrder(transactions, store, 500);
    const { body: waiting } = await transactions.order(store);
    const outcomes = [
      await give(randomUUID(), { amount: 1 }),
      await give(waiting.transactionId, { amount: 1 }),
      await give(transactionId, { amount: 500.01 }),
      await give(transactionId, { amount: 1, reason: 'gift' }),
      await give(transactionId, { amount: 1, reference: 'DEV-1' }),
      await give(transactionId, { amount: 1, reference: 'DEV-1' }),
      await give(transactionId, { amount: 1 }, ops('viewer')),
      await give(transactionId, { amount: 1 }, store.caller),
    ];
    expect(outcomes.map(outcomeOf)).toEqual([
      '404 TRANSACTION_NOT_FOUND',
      '422 TRANSACTION_NOT_CREDITABLE',
      '422 CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
      '400',
      '201',
      '409 CREDIT_NOTE_ALREADY_EXISTS',
      '403 FORBIDDEN',
      '403 FORBIDDEN',
    ]);
  });
});

describe('a wholesaler that was paid', () => {
  it('waits for a second person when a note takes what is left to be paid below zero', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await paidOut(store);
    // 293.04 are to be paid: 300 less commission and its IVA.
    await deliveredOrder(transactions, store, 300);
    const enough = await credit(store, transactionId, { amount: 300 });
    const headers = { 'Idempotency-Key': randomUUID() };
    const asked = await credit(store, transactionId, { amount: 1 }, headers);
    const again = await credit(store, transactionId, { amount: 1 }, headers);
    const unkeyed = await credit(store, transactionId, { amount: 1 });

    expect([enough.status, asked.status, asked.body.status]).toEqual([201, 202, 'pending']);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      202,
      asked.body,
      'true',
    ]);
    expect([unkeyed.status, unkeyed.body]).toEqual([202, asked.body]);
    expect(await notesOf(store, transactionId)).toEqual([enough.body]);
    const { body: draft } = await transactions.call(store.caller, 'GET', '/v1/statements/draft');
    expect(draft.netAmount).toBe(0);

    await decideChange(transactions, asked.body.changeRequestId);
    await decideChange(transactions, asked.body.changeRequestId);

    expect(await notesOf(store, transactionId)).toMatchObject([enough.body, { amount: 1 }]);
    expect(await creatorsOf(transactionId)).toEqual([
      { by: store.caller.id },
      { by: store.caller.id },
    ]);
    const repeated = await credit(store, transactionId, { amount: 1 }, headers);
    expect([repeated.status, repeated.body]).toEqual([202, asked.body]);
    expect(await notesOf(store, transactionId)).toHaveLength(2);
    const closed = await closeNow(transactions, store);
    expect(closed.body.statements).toMatchObject([{ lines: 3, amountDue: 0, status: 'paid' }]);
  });

  it('gives it back at once from a statement that is not paid yet', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await paidOut(store);
    await deliveredOrder(transactions, store, 500);
    await closeNow(transactions, store);
    expect((await credit(store, transactionId, { amount: 500 })).status).toBe(201);
  });

  it('may ask again after a rejection', async () => {
    const store = await transactions.createCornerStore();
    const transactionId = await paidOut(store);
    const asked = await credit(store, transactionId, { amount: 100 });
    await decideChange(transactions, asked.body.changeRequestId, false);
    const again = await credit(store, transactionId, { amount: 100 });
    expect([asked.status, again.status]).toEqual([202, 202]);
    expect(again.body.changeRequestId).not.toBe(asked.body.changeRequestId);
    expect(await notesOf(store, transactionId)).toEqual([]);
  });

  it('does not give the same money back twice by notes at the same time', async () => {
    const store = await largeStore();
    const orders: string[] = [];
    for (let n = 0; n < 5; n += 1) orders.push(await deliveredOrder(transactions, store, 500));
    await closeAndPay(transactions, store);
    await deliveredOrder(transactions, store, 600);
    const answers = await Promise.all(orders.map((id) => credit(store, id, { amount: 500 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(4);
  });
});

it('what a clawback took is not credited too', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await deliveredOrder(transactions, store, 1000);
  await clawBack(transactions, store, transactionId, 600);
  const outcomes = [
    await credit(store, transactionId, { amount: 400.01 }),
    await credit(store, transactionId, { amount: 400 }),
  ];
  expect(outcomes.map(outcomeOf)).toEqual(['422 CREDIT_NOTE_AMOUNT_NOT_ALLOWED', '201']);
});

it('clawbacks and credit notes of a whole order, in turns, take its whole commission', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await deliveredOrder(transactions, store, 480.5);
  await clawBack(transactions, store, transactionId, 0.25);
  await credit(store, transactionId, { amount: 100.1 });
  await clawBack(transactions, store, transactionId, 0.2);
  await credit(store, transactionId, { amount: 379.95 });

  const { body } = await transactions.call(store.caller, 'GET', '/v1/statements/draft');
  expect(body).toMatchObject({ lines: 5, grossAmount: 0, commission: 0, netAmount: 0 });
});

it('one person is enough without FOUR_EYES', async () => {
  const setting = jest.replaceProperty(transactions.context.config, 'FOUR_EYES', 'off');
  try {
    const store = await largeStore();
    const transactionId = await deliveredOrder(transactions, store, 30_000);
    const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
    const markPaid = `/v1/admin/statements/${statementId}/mark-paid`;
    const paid = await transactions.call(ops(), 'POST', markPaid, {
      body: { bankReference: 'A1', paidOn: today() },
    });
    const path = `/v1/admin/transactions/${transactionId}/credit-notes`;
    const body = { amount: 20_000, reason: 'other' };
    const given = await transactions.call(machine, 'POST', path, { body });
    expect([paid.body.status, given.status]).toEqual(['paid', 201]);
  } finally {
    setting.restore();
  }
});
