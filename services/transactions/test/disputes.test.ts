import { randomUUID } from 'node:crypto';
import { behindLock } from '@fiado/chassis/testing/behind-lock';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { transactionsService } from '../src/service';
import { credit } from './support/credit-notes';
import { brokenInvariants } from './support/invariants';
import { AN_ORDER, batchItem, orderOnHold, outcomeOf, sendBatch, wordOf } from './support/orders';
import { closeAndPay, closeNow, decideChange, deliveredOrder } from './support/statements';
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

const open = (transactionId: string, by = ana) =>
  transactions.call(by, 'POST', `/v1/admin/transactions/${transactionId}/disputes`);
const decide = (disputeId: string, how: 'keep' | 'credit') =>
  transactions.call(ana, 'POST', `/v1/admin/disputes/${disputeId}/${how}`, {
    body: { reason: 'Se revisó' },
  });
const sheetOf = async (disputeId: string) =>
  (await transactions.call(ops('viewer'), 'GET', `/v1/admin/disputes/${disputeId}`)).body;
const get = async (store: CornerStore, path: string) =>
  (await transactions.call(store.caller, 'GET', path)).body;
const largeStore = () =>
  transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });

/** A delivered order of so many pesos whose store says that it is not its own. */
async function disputed(store: CornerStore, amount = 1000) {
  const transactionId = await deliveredOrder(transactions, store, amount);
  const { status, body } = await open(transactionId);
  expect(status).toBe(201);
  return { transactionId, disputeId: String(body.disputeId) };
}

/** The orders of the lines of the statement that closes now, with their kinds. */
async function closedLines(store: CornerStore): Promise<unknown[]> {
  const [statement] = (await closeNow(transactions, store)).body.statements;
  if (statement === undefined) return [];
  const { lines } = await get(store, `/v1/statements/${statement.statementId}/lines`);
  return lines.map(({ kind, transactionId }: Record<string, unknown>) => [kind, transactionId]);
}

/** What payments was told of a dispute. */
const toldOf = async (disputeId: string) =>
  (await transactions.outbox('dispute.changed'))
    .filter(({ aggregate_id: id }) => id === disputeId)
    .map(({ aggregate_version: version, data }) => [
      version,
      (data as { closedAt: string | null }).closedAt !== null,
    ]);

it('no statement has a disputed order, and the next one has it when its store owes it', async () => {
  const store = await transactions.createCornerStore();
  const other = await deliveredOrder(transactions, store, 1000);
  const { transactionId, disputeId } = await disputed(store);

  expect(await get(store, '/v1/statements/draft')).toMatchObject({ lines: 1, heldLines: 1 });
  expect((await get(store, '/v1/statements/draft/held-lines')).lines).toMatchObject([
    { transactionId, heldBecause: 'disputed', payableFrom: null },
  ]);
  expect(await closedLines(store)).toEqual([['delivery', other]]);
  expect(await closedLines(store)).toEqual([]);
  expect(await brokenInvariants(transactions)).toEqual([]);

  const kept = await decide(disputeId, 'keep');
  expect(kept.body).toMatchObject({ status: 'kept', decidedBy: ana.id, reason: 'Se revisó' });
  expect(await closedLines(store)).toEqual([['delivery', transactionId]]);
  expect(await toldOf(disputeId)).toEqual([
    [1, false],
    [2, true],
  ]);
  const audited = (await transactions.outbox('audit.recorded')).map(({ data }) => data);
  for (const action of ['dispute.opened', 'dispute.kept']) {
    expect(audited).toContainEqual(
      expect.objectContaining({ actorId: ana.id, action, objectId: transactionId }),
    );
  }
});

it('all of a disputed order is credited, with what earlier notes left', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId, disputeId } = await disputed(store);
  await credit(transactions, store, transactionId, { body: { amount: 100 } });
  expect(await sheetOf(disputeId)).toMatchObject({ status: 'open' });
  const { status, body } = await decide(disputeId, 'credit');
  expect([status, body.status, body.reason]).toEqual([200, 'credited', 'Se revisó']);
  const { creditNotes } = await get(store, `/v1/transaction/${transactionId}/credit-notes`);
  expect(creditNotes.map(({ amount }: { amount: number }) => amount)).toEqual([100, 900]);
  expect(await closedLines(store)).toHaveLength(3);
  expect(await toldOf(disputeId)).toHaveLength(2);
});

it('a large credit waits for a second person, and the dispute with it', async () => {
  const store = await largeStore();
  const { transactionId, disputeId } = await disputed(store, 20_000);
  const asked = await decide(disputeId, 'credit');
  expect(asked.status).toBe(202);
  expect(outcomeOf(await decide(disputeId, 'keep'))).toBe('409 CHANGE_ALREADY_REQUESTED');
  expect(await closedLines(store)).toEqual([]);
  expect(await sheetOf(disputeId)).toMatchObject({ status: 'open', decidedBy: null });
  await decideChange(transactions, asked.body.changeRequestId);
  expect(await sheetOf(disputeId)).toMatchObject({ status: 'credited', decidedBy: ana.id });
  expect(await closedLines(store)).toEqual([
    ['delivery', transactionId],
    ['credit-note', transactionId],
  ]);
});

it('the reason of a credit that was refused is not that of a decision of the wholesaler', async () => {
  const store = await largeStore();
  const { transactionId, disputeId } = await disputed(store, 20_000);
  const { changeRequestId } = (await decide(disputeId, 'credit')).body;
  expect(await sheetOf(disputeId)).toMatchObject({ status: 'open', reason: null });
  await decideChange(transactions, changeRequestId, false);
  await credit(transactions, store, transactionId, { body: { amount: 20_000 } });
  expect(await sheetOf(disputeId)).toMatchObject({ status: 'credited', reason: null });
});

it('an order that a statement has can be disputed; a wholesaler that credits all of it ends that', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await deliveredOrder(transactions, store, 1000);
  await deliveredOrder(transactions, store, 2000);
  await closeAndPay(transactions, store);
  await deliveredOrder(transactions, store, 2000);
  const { disputeId } = (await open(transactionId)).body;
  await credit(transactions, store, transactionId, { body: { amount: 1000 } });
  expect(await sheetOf(disputeId)).toMatchObject({
    status: 'credited',
    decidedBy: store.caller.id,
    reason: null,
  });
});

it('an order is disputed once at a time, when it is delivered and not all credited, and decided once', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId: onHold } = await orderOnHold(transactions, store);
  const credited = await deliveredOrder(transactions, store, 1000);
  await credit(transactions, store, credited, { body: { amount: 1000 } });
  const { transactionId, disputeId } = await disputed(store);
  expect(
    [
      await open(onHold),
      await open(credited),
      await open(randomUUID()),
      await open(transactionId),
      await decide(randomUUID(), 'keep'),
    ].map(outcomeOf),
  ).toEqual([
    '422 TRANSACTION_NOT_DISPUTABLE',
    '422 TRANSACTION_NOT_DISPUTABLE',
    '404 TRANSACTION_NOT_FOUND',
    '409 DISPUTE_ALREADY_OPEN',
    '404 DISPUTE_NOT_FOUND',
  ]);
  await decide(disputeId, 'keep');
  expect(
    [await decide(disputeId, 'keep'), await decide(disputeId, 'credit')].map(outcomeOf),
  ).toEqual(['422 DISPUTE_IS_NOT_OPEN', '422 DISPUTE_IS_NOT_OPEN']);
  expect((await open(transactionId)).status).toBe(201);
});

it('a wholesaler learns of a dispute, answers once, and learns of its decision', async () => {
  const store = await transactions.createCornerStore();
  await switchEvents(transactions, store.caller.id);
  const { transactionId, disputeId } = await disputed(store);
  const respond = (text: unknown, by = store.caller, id = transactionId) =>
    transactions.call(by, 'POST', `/v1/transaction/${id}/dispute/response`, { body: { text } });
  const answered = await respond('La recibió su hermano');
  expect([answered.status, answered.body]).toEqual([
    200,
    expect.objectContaining({ disputeId, status: 'open', response: 'La recibió su hermano' }),
  ]);
  const stranger = await transactions.createCornerStore();
  const undisputed = await deliveredOrder(transactions, store, 1000);
  expect(
    [
      await respond('Otra cosa'),
      await respond('x'.repeat(1001)),
      await respond('Hola', stranger.caller),
      await respond('Hola', store.caller, undisputed),
    ].map(outcomeOf),
  ).toEqual([
    '409 DISPUTE_ALREADY_ANSWERED',
    '400',
    '404 TRANSACTION_NOT_FOUND',
    '404 DISPUTE_NOT_FOUND',
  ]);
  expect((await sheetOf(disputeId)).response).toBe('La recibió su hermano');
  await decide(disputeId, 'keep');
  const { dispute } = await get(store, `/v1/transaction/${transactionId}`);
  expect(dispute).toMatchObject({ disputeId, status: 'kept', response: 'La recibió su hermano' });
  expect((await get(store, `/v1/transaction/${undisputed}`)).dispute).toBeNull();
  const presenters = transactionsService.events?.(transactions.context.config);
  const events = await eventsOf(transactions, presenters, store.caller.id);
  expect(
    events
      .filter(({ type }) => type.startsWith('transaction.dispute'))
      .map(({ type, data }) => [type, data['disputeId'], data['status']]),
  ).toEqual([
    ['transaction.disputed', disputeId, 'open'],
    ['transaction.dispute-closed', disputeId, 'kept'],
  ]);
});

it('open disputes are listed with the longest open first, of each wholesaler or store', async () => {
  const store = await transactions.createCornerStore();
  const [first, second] = [await disputed(store), await disputed(store)];
  await decide((await disputed(store)).disputeId, 'keep');
  const listed = async (query: string): Promise<string[]> => {
    const path = `/v1/admin/disputes?${query}`;
    const { body } = await transactions.call(ops('viewer'), 'GET', path);
    return body.disputes.map((one: { disputeId: string }) => one.disputeId);
  };
  const both = [first.disputeId, second.disputeId];
  const asked = `wholesalerId=${store.caller.id}`;
  expect(await listed(`status=open&${asked}`)).toEqual(both);
  expect(await listed(`status=open&cornerStoreId=${store.cornerStoreId}`)).toEqual(both);
  expect(await listed(`status=open&${asked}&limit=1&cursor=${first.disputeId}`)).toEqual([
    second.disputeId,
  ]);
  expect(await listed(`transactionId=${first.transactionId}`)).toEqual([first.disputeId]);
  expect(await listed(asked)).toHaveLength(3);
});

it('the proof sheet shows code, word, place and shares of disputes', async () => {
  const store = await transactions.createCornerStore();
  const deliver = async (transactionId: string, latitude: number, words: object) => {
    const body = {
      status: 'delivery',
      transactionAmount: AN_ORDER.totalAmount,
      latitude,
      longitude: -103.344,
      ...words,
    };
    const path = `/v1/transaction/${transactionId}`;
    expect((await transactions.call(store.caller, 'PUT', path, { body })).status).toBe(200);
    return transactionId;
  };
  let confirmed = '';
  for (const latitude of [20.6736, 20.6737, 20.6736]) {
    const { transactionId } = await orderOnHold(transactions, store);
    confirmed = await deliver(transactionId, latitude, {
      deliveryWord: await wordOf(transactions, transactionId),
    });
  }
  const { body } = await sendBatch(transactions, store, [batchItem(store.cornerStoreId)]);
  const far = await deliver(body[0].transactionId, 20.6836, {});
  const { disputeId } = (await open(far)).body;
  expect((await sheetOf(disputeId)).proofs).toMatchObject({
    codeSends: 0,
    confirmedAt: null,
    secondsToConfirm: null,
    driverId: 'driver-1',
    deliveryProof: 'none',
    place: '20.6836, -103.344',
    metresFromUsual: 1112,
    deliveriesOfWholesaler: 4,
    disputesOfWholesaler: 1,
    disputesOfDriver: 1,
    disputesOfStore: 1,
    keptOfStore: 0,
  });
  // The code was sent two minutes before it confirmed the order.
  await transactions.rows(
    `UPDATE verifications SET expires_at = approved_at + interval '8 minutes' WHERE transaction_id = $1`,
    [confirmed],
  );
  expect((await sheetOf((await open(confirmed)).body.disputeId)).proofs).toMatchObject({
    codeSends: 1,
    confirmedAt: expect.any(String),
    secondsToConfirm: 120,
    deliveryProof: 'word',
  });
});

it('an order that needed no code is not shown as confirmed by one', async () => {
  const store = await transactions.createCornerStore({ settings: { confirmationRequired: false } });
  const { transactionId } = (await transactions.order(store)).body;
  const body = { status: 'delivery', transactionAmount: AN_ORDER.totalAmount };
  const path = `/v1/transaction/${transactionId}`;
  expect((await transactions.call(store.caller, 'PUT', path, { body })).status).toBe(200);
  const { proofs } = await sheetOf((await open(transactionId)).body.disputeId);
  expect(proofs).toMatchObject({ codeSends: 0, confirmedAt: null, secondsToConfirm: null });
});

it.each([
  ['that closes first has the order', 'close, dispute', true],
  ['that closes second has not', 'dispute, close', false],
] as const)(
  'of a dispute and a statement at the same moment, a statement %s',
  async (_, order, has) => {
    const store = await transactions.createCornerStore();
    await deliveredOrder(transactions, store, 1000);
    await closeNow(transactions, store);
    const transactionId = await deliveredOrder(transactions, store, 1000);
    const HEAD = 'SELECT FROM transactions.settlement_heads WHERE wholesaler_id = $1 FOR UPDATE';
    const dispute = () => open(transactionId);
    const close = () => closeNow(transactions, store);
    const begun = order === 'dispute, close' ? [dispute, close] : [close, dispute];
    const outcomes = await behindLock(transactions, [HEAD, store.caller.id], begun);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const [line] = await transactions.rows(
      `SELECT statement_id IS NOT NULL AS has FROM settlement_lines WHERE source_id = $1`,
      [transactionId],
    );
    expect(line).toEqual({ has });
  },
);
