import { randomUUID } from 'node:crypto';
import { receivableCredited } from '@fiado/contracts/jobs/debts';
import { personErase } from '@fiado/contracts/jobs/privacy';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { transactionsService } from '../src/service';
import { brokenInvariants } from './support/invariants';
import { INVOICE } from './support/facturapi';
import { orderOnHold, outcomeOf } from './support/orders';
import { closeNow, deliveredOrder } from './support/statements';
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

const delivered = (store: CornerStore) => deliveredOrder(transactions, store, 1000);
const pathOf = (transactionId: string) => `/v1/transaction/${transactionId}/credit-notes`;
const credit = (store: CornerStore, transactionId: string, body: object, headers = {}) =>
  transactions.call(store.caller, 'POST', pathOf(transactionId), {
    body: { reason: 'return', ...body },
    headers,
  });
const usedBy = ({ cornerStoreId }: CornerStore) =>
  transactions.rows<{ cents: number }>(
    'SELECT used_cents AS cents FROM credit_lines WHERE corner_store_id = $1',
    [cornerStoreId],
  );

it('a credit note takes off interests, IVA and commission of its goods, and reaches payments and the wholesaler', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);
  await switchEvents(transactions, store.caller.id);
  const { status, body } = await credit(store, transactionId, { amount: 400, reference: 'DEV-1' });
  expect(status).toBe(201);
  expect(body).toEqual({
    creditNoteId: expect.any(String),
    transactionId,
    amount: 400,
    interests: 20,
    IVAAmount: 3.2,
    totalAmount: 423.2,
    commission: 8,
    reason: 'return',
    reference: 'DEV-1',
    invoiceAction: null,
    createdAt: expect.any(String),
  });

  const jobs = await transactions.outbox('transaction.credited');
  expect(jobs.map(({ queue, data }) => ({ queue, data }))).toContainEqual({
    queue: 'payments',
    data: {
      creditNoteId: body.creditNoteId,
      transactionId,
      wholesalerId: store.caller.id,
      principalCents: 40_000,
      interestCents: 2_000,
      ivaCents: 320,
    },
  });
  const presenters = transactionsService.events?.(transactions.context.config);
  expect(await eventsOf(transactions, presenters, store.caller.id)).toEqual([
    { type: 'transaction.credited', data: { ...body, version: 1 } },
  ]);
  const lines = await transactions.rows(
    `SELECT wholesaler_id, gross_cents::int, commission_cents::int, statement_id
       FROM settlement_lines WHERE kind = 'credit-note' AND source_id = $1`,
    [body.creditNoteId],
  );
  expect(lines).toEqual([
    {
      wholesaler_id: store.caller.id,
      gross_cents: -40_000,
      commission_cents: -800,
      statement_id: null,
    },
  ]);
  const list = await transactions.call(store.caller, 'GET', pathOf(transactionId));
  expect(list.body).toEqual({ creditNotes: [body], requests: [] });
  const shown = await transactions.call(ops(), 'GET', `/v1/admin/transactions/${transactionId}`);
  expect(shown.body).toMatchObject({ totalAmount: 1000, creditNotes: [body] });
});

it('what payments has booked of it frees the credit line, whatever comes first', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);
  const { cornerStoreId } = store;
  const [{ body: first }, { body: second }] = [
    await credit(store, transactionId, { amount: 400 }),
    await credit(store, transactionId, { amount: 600 }),
  ];
  expect(await usedBy(store)).toEqual([{ cents: 100_000 }]);
  const receivable = randomUUID();
  const booked = (
    creditNoteId: string,
    version: number,
    owedCents: number,
    paidAt: string | null,
  ) =>
    transactions.handle(
      receivableCredited,
      { id: receivable, version },
      {
        creditNoteId,
        transactionId,
        cornerStoreId,
        outstandingPrincipalCents: owedCents,
        outstandingCents: owedCents,
        paidAt,
      },
    );
  await booked(second.creditNoteId, 3, 0, new Date().toISOString());
  expect(await usedBy(store)).toEqual([{ cents: 0 }]);
  await booked(first.creditNoteId, 2, 60_000, null);
  expect(await usedBy(store)).toEqual([{ cents: 0 }]);
  expect(await transactions.statusOf(store, transactionId)).toBe('paid');
  const entries = await transactions.call(
    ops(),
    'GET',
    `/v1/admin/corner-stores/${cornerStoreId}/credit-entries`,
  );
  expect(entries.body.creditEntries[0]).toMatchObject({
    kind: 'credit',
    amount: -1000,
    causeId: second.creditNoteId,
  });
});

it('is refused for what was not delivered, is not the wholesaler’s, or is more than is left', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId: onHold } = await orderOnHold(transactions, store);
  const transactionId = await delivered(store);
  const outcomes = [
    await credit(store, onHold, { amount: 1 }),
    await credit({ ...store, caller: wholesaler() }, transactionId, { amount: 1 }),
    await transactions.call(wholesaler(), 'GET', pathOf(transactionId)),
    await credit(store, transactionId, { amount: 1000.01 }),
    await credit(store, transactionId, { amount: 0 }),
    await credit(store, transactionId, { amount: 1, reason: 'gift' }),
    await credit(store, transactionId, { amount: 999, reference: 'DEV-1' }),
    await credit(store, transactionId, { amount: 1, reference: 'DEV-1' }),
    await credit(store, transactionId, { amount: 1.01 }),
    await credit(store, transactionId, { amount: 1 }),
  ];
  expect(outcomes.map(outcomeOf)).toEqual([
    '422 TRANSACTION_NOT_CREDITABLE',
    '404 TRANSACTION_NOT_FOUND',
    '404 TRANSACTION_NOT_FOUND',
    '422 CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
    '400',
    '400',
    '201',
    '409 CREDIT_NOTE_ALREADY_EXISTS',
    '422 CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
    '201',
  ]);
  expect(outcomes.map(({ body }) => body.maximumAmount).filter(Boolean)).toEqual([1000, 1]);
});

it('ten at once credit no more than was delivered, and the same request is answered once', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => credit(store, transactionId, { amount: 180 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  const headers = { 'Idempotency-Key': randomUUID() };
  const repeated = [
    await credit(store, transactionId, { amount: 10 }, headers),
    await credit(store, transactionId, { amount: 10 }, headers),
  ];
  expect(repeated.map(({ status }) => status)).toEqual([201, 201]);
  expect(repeated[1]?.body).toEqual(repeated[0]?.body);
});

it('an invoice bills what is left, and one that exists has to be corrected', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);
  const path = `/v1/transaction/${transactionId}/invoice`;
  const invoice = (price: number) => {
    const [line] = INVOICE.products;
    const products = [{ ...line, product: { ...line?.product, price } }];
    const body = { invoice: { discount: 0, products } };
    return transactions.call(store.caller, 'POST', path, { body });
  };
  await credit(store, transactionId, { amount: 400 });
  expect(outcomeOf(await invoice(600.02))).toBe('422 INVOICE_AMOUNT_NOT_ALLOWED');
  expect(outcomeOf(await invoice(600.01))).toBe('201');
  const { body } = await credit(store, transactionId, { amount: 100 });
  expect(body.invoiceAction).toBe('credit-note-due');
});

it('payments gets the settled notes once a statement closes at 0 or more', async () => {
  const store = await transactions.createCornerStore();
  const toldOf = async (creditNoteId: string) =>
    (await transactions.outbox('credit-notes.settled')).filter(({ data }) =>
      (data as { creditNoteIds: string[] }).creditNoteIds.includes(creditNoteId),
    ).length;
  const transactionId = await delivered(store);
  await closeNow(transactions, store);
  const { body } = await credit(store, transactionId, { amount: 600 });
  await closeNow(transactions, store);
  expect(await toldOf(body.creditNoteId)).toBe(0);
  await delivered(store);
  await closeNow(transactions, store);
  await delivered(store);
  await closeNow(transactions, store);
  expect(await toldOf(body.creditNoteId)).toBe(1);
});

it('an erasure empties the id that the wholesaler gave it, and nothing else', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);
  const { body } = await credit(store, transactionId, { amount: 400, reference: 'DEV-ANA-RUIZ' });
  const erasureId = randomUUID();
  await transactions.handle(
    personErase,
    { id: erasureId, version: 1 },
    {
      erasureId,
      phase: 'suppress',
      userId: randomUUID(),
      cornerStoreId: store.cornerStoreId,
      phoneIndexes: [],
      objectIds: [],
      nameKey: 'bmFtZQ==',
    },
  );
  const [answer] = await transactions.outbox('person.erased');
  expect(answer?.data).toMatchObject({
    erasureId,
    rows: expect.arrayContaining([{ table: 'credit_notes', column: 'reference', rows: 1 }]),
  });
  const left = await transactions.rows(
    'SELECT reference, principal_cents FROM credit_notes WHERE id = $1',
    [body.creditNoteId],
  );
  expect(left).toEqual([{ reference: null, principal_cents: 40_000 }]);
});
