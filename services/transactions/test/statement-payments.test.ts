import { randomUUID } from 'node:crypto';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { dayAfter } from '@fiado/contracts/clock';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { forAllTests } from '../../../test/support/for-all-tests';
import { transactionsService } from '../src/service';
import { closeNow, deliveredOrder, failureOfChange } from './support/statements';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const ana = staffMember('approver', new Date(), randomUUID());
const machine = ops('approver', randomUUID());
const luis = randomUUID();
/** A payment is dated on the clock of the lender. */
const [yesterday, today, tomorrow] = [-1, 0, 1].map(
  (days) => dayAfter(new Date(), 'America/Mexico_City', days).date,
);

const post = (path: string, body: object, by = ana) =>
  transactions.call(by, 'POST', `/v1/admin/${path}`, { body });

async function closedStatement(): Promise<{ store: CornerStore; statementId: string }> {
  const store = await transactions.createCornerStore();
  await deliveredOrder(transactions, store, 500);
  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  return { store, statementId };
}

const decide = (changeRequestId: string, isApproved: boolean) =>
  transactions.handle(
    CHANGE_JOBS.settlement.decided,
    { id: changeRequestId, version: 1 },
    { changeRequestId, isApproved, decidedBy: luis },
  );

const failureOf = (changeRequestId: string) => failureOfChange(transactions, changeRequestId);

const statementOf = async (statementId: string) =>
  (await transactions.call(ops('viewer'), 'GET', `/v1/admin/statements/${statementId}`)).body;

/** A reference that no other test uses. */
const newReference = () => `SPEI-${randomUUID().slice(0, 13)}`;

async function pay(statementId: string, bankReference = newReference()): Promise<string> {
  const asked = await post(`statements/${statementId}/mark-paid`, { bankReference, paidOn: today });
  expect(asked.status).toBe(202);
  await decide(asked.body.changeRequestId, true);
  return asked.body.changeRequestId;
}

it('a day of the period, or a future one, is no day of its payment', async () => {
  const { statementId } = await closedStatement();
  for (const paidOn of [yesterday, tomorrow]) {
    const body = { bankReference: newReference(), paidOn };
    const refused = await post(`statements/${statementId}/mark-paid`, body);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      [expect.stringMatching(/^paidOn must not be (before|in the future)/)],
    ]);
  }
});

it.each([
  ['a person', ana],
  ['a key', machine],
])('%s who records a payment waits for a second person, who makes it', async (_, by) => {
  const { statementId } = await closedStatement();
  const body = { bankReference: newReference(), paidOn: today };

  const reason = 'Week 47';
  const asked = await post(`statements/${statementId}/mark-paid`, { ...body, reason }, by);
  const again = await post(`statements/${statementId}/mark-paid`, body, by);
  const other = await post(`statements/${statementId}/mark-paid`, {
    ...body,
    bankReference: newReference(),
  });
  const { status: before } = await statementOf(statementId);
  await decide(asked.body.changeRequestId, true);

  expect([asked.status, asked.body.status, again.body]).toEqual([202, 'pending', asked.body]);
  expect([other.status, other.body.errorCode]).toEqual([409, 'CHANGE_ALREADY_REQUESTED']);
  expect(before).toBe('closed');
  const [requested] = await transactions.rows(
    `SELECT data ->> 'reason' AS reason FROM outbox WHERE aggregate_id = $1 AND aggregate_version = 1`,
    [asked.body.changeRequestId],
  );
  expect(requested).toEqual({ reason });
  expect(await statementOf(statementId)).toMatchObject({ status: 'paid', ...body });
  expect(await failureOf(asked.body.changeRequestId)).toBeUndefined();
  const [payment] = await transactions.rows(
    'SELECT paid_by, approved_by, cents FROM statement_payments WHERE statement_id = $1',
    [statementId],
  );
  expect(payment).toEqual({ paid_by: by.id, approved_by: luis, cents: 48_840 });
});

it('a rejected payment leaves the statement to be paid', async () => {
  const { statementId } = await closedStatement();
  const body = { bankReference: newReference(), paidOn: today };
  const asked = await post(`statements/${statementId}/mark-paid`, body);

  await decide(asked.body.changeRequestId, false);

  expect(await statementOf(statementId)).toMatchObject({ status: 'closed', bankReference: null });
  await pay(statementId, body.bankReference);
  expect((await statementOf(statementId)).status).toBe('paid');
});

it('a statement is published when it is closed, paid and returned, as its GET shows it then', async () => {
  const store = await transactions.createCornerStore();
  await deliveredOrder(transactions, store, 500);
  await switchEvents(transactions, store.caller.id);
  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  const shown = async () =>
    (await transactions.call(store.caller, 'GET', `/v1/statements/${statementId}`)).body;
  const closed = await shown();
  await pay(statementId);
  const paid = await shown();
  const asked = await post(`statements/${statementId}/mark-returned`, { reason: 'CLABE' });
  await decide(asked.body.changeRequestId, true);

  const presenters = transactionsService.events?.(transactions.context.config);
  expect(await eventsOf(transactions, presenters, store.caller.id)).toEqual([
    { type: 'statement.closed', data: { ...closed, version: 1 } },
    { type: 'statement.paid', data: { ...paid, version: 2 } },
    { type: 'statement.returned', data: { ...closed, version: 3 } },
  ]);
  expect(paid).toMatchObject({ status: 'paid', paidOn: today, paidAt: expect.any(String) });
});

it('a payment that the bank returned needs another reference, however the first one is written', async () => {
  const { statementId } = await closedStatement();
  const bankReference = newReference();
  await pay(statementId, bankReference);
  const returned = await post(`statements/${statementId}/mark-returned`, { reason: 'CLABE' });
  await decide(returned.body.changeRequestId, true);

  const reused = await post(`statements/${statementId}/mark-paid`, {
    bankReference: bankReference.toLowerCase().replaceAll('-', ' '),
    paidOn: today,
  });

  expect([reused.status, reused.body.errorCode]).toEqual([409, 'BANK_REFERENCE_ALREADY_USED']);
  expect((await statementOf(statementId)).status).toBe('closed');
  await pay(statementId);
  expect(await statementOf(statementId)).toMatchObject({ status: 'paid', paidOn: today });
  const payments = await transactions.rows(
    `SELECT number, return_reason FROM statement_payments WHERE statement_id = $1 ORDER BY number`,
    [statementId],
  );
  expect(payments).toEqual([
    { number: 1, return_reason: 'CLABE' },
    { number: 2, return_reason: null },
  ]);
});

it('one transfer pays one statement, also if both wait for their second person', async () => {
  const [first, second] = [await closedStatement(), await closedStatement()];
  const body = { bankReference: newReference(), paidOn: today };
  const asked = await Promise.all(
    [first, second].map(({ statementId }) => post(`statements/${statementId}/mark-paid`, body)),
  );

  for (const { body: request } of asked) await decide(request.changeRequestId, true);

  const failures = await Promise.all(
    asked.map(({ body: { changeRequestId } }) => failureOf(changeRequestId)),
  );
  expect(failures).toEqual([undefined, 'BANK_REFERENCE_ALREADY_USED']);
  expect((await statementOf(second.statementId)).status).toBe('closed');
});

it('refuses what cannot be paid or returned', async () => {
  const { store, statementId } = await closedStatement();
  const body = { bankReference: newReference(), paidOn: today };
  const outcome = async (path: string, sent: object) => {
    const answer = await post(path, sent);
    return `${answer.status} ${answer.body.errorCode ?? ''}`.trim();
  };
  const open = `statements/${statementId}`;
  expect(await outcome(`${open}/mark-returned`, { reason: 'x' })).toBe('422 STATEMENT_IS_NOT_PAID');
  expect(await outcome(`${open}/mark-paid`, { ...body, paidOn: '2999-01-01' })).toBe('400');
  expect(await outcome(`${open}/mark-paid`, { ...body, paidOn: '2026-02-30' })).toBe('400');
  const unknown = `statements/${randomUUID()}/mark-paid`;
  expect(await outcome(unknown, body)).toBe('404 STATEMENT_NOT_FOUND');
  await pay(statementId);
  expect(await outcome(`${open}/mark-paid`, body)).toBe('422 STATEMENT_NOT_PAYABLE');
  const viewer = await post(`${open}/mark-returned`, { reason: 'x' }, ops('operator'));
  expect(viewer.status).toBe(403);
  const wholesaler = await transactions.call(store.caller, 'POST', `/v1/admin/${open}/mark-paid`, {
    body,
  });
  expect(wholesaler.status).toBe(403);
});

describe('adjustments', () => {
  const adjust = (body: object, by = ana) => post('settlement-adjustments', body, by);
  const draftOf = async ({ caller }: CornerStore) =>
    (await transactions.call(caller, 'GET', '/v1/statements/draft')).body;

  it('a clawback of a whole order takes all that was settled for it, and no more', async () => {
    const store = await transactions.createCornerStore();
    const { id: wholesalerId } = store.caller;
    const transactionId = await deliveredOrder(transactions, store, 333.25);
    const clawback = { wholesalerId, transactionId, kind: 'clawback', reason: 'Entrega falsa' };
    const [most, part, tooMuch] = [
      await adjust({ ...clawback, amount: 333.25 }),
      await adjust({ ...clawback, amount: 100 }, machine),
      await adjust({ ...clawback, amount: 333.26 }),
    ];
    expect([most.status, part.status]).toEqual([202, 202]);
    expect([tooMuch.status, tooMuch.body.errorCode]).toEqual([422, 'ADJUSTMENT_NOT_ALLOWED']);

    await decide(part.body.changeRequestId, true);
    await decide(most.body.changeRequestId, true);
    const rest = await adjust({ ...clawback, amount: 233.25 });
    await decide(rest.body.changeRequestId, true);

    expect(await failureOf(most.body.changeRequestId)).toBe('ADJUSTMENT_NOT_ALLOWED');
    expect(await draftOf(store)).toMatchObject({
      lines: 3,
      grossAmount: 0,
      commission: 0,
      netAmount: 0,
    });
    const decided = await transactions.rows(
      `SELECT amount_cents, requested_by, approved_by FROM settlement_adjustments
        WHERE wholesaler_id = $1 ORDER BY amount_cents`,
      [wholesalerId],
    );
    expect(decided).toEqual([
      { amount_cents: 10_000, requested_by: machine.id, approved_by: luis },
      { amount_cents: 23_325, requested_by: ana.id, approved_by: luis },
    ]);
  });

  it('an adjustment adds or takes an amount', async () => {
    const store = await transactions.createCornerStore();
    const { id: wholesalerId } = store.caller;
    for (const amount of [50, -20.5]) {
      const body = { wholesalerId, kind: 'adjustment', amount, reason: 'Flete' };
      await decide((await adjust(body)).body.changeRequestId, true);
    }
    expect(await draftOf(store)).toMatchObject({ lines: 2, netAmount: 29.5 });
  });

  it('a correction that is sent twice with one Idempotency-Key waits once', async () => {
    const store = await transactions.createCornerStore();
    const body = { wholesalerId: store.caller.id, kind: 'adjustment', amount: 50, reason: 'Flete' };
    const headers = { 'idempotency-key': randomUUID() };
    const send = (changes: object = {}) =>
      transactions.call(ana, 'POST', '/v1/admin/settlement-adjustments', {
        body: { ...body, ...changes },
        headers,
      });
    const [first, again, other] = [await send(), await send(), await send({ amount: 51 })];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([other.status, other.body.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);

    await decide(first.body.changeRequestId, true);
    expect((await send()).body).toEqual(first.body);
    expect(await draftOf(store)).toMatchObject({ lines: 1, netAmount: 50 });
  });

  it.each([
    ['of an order that is not named', { kind: 'clawback', amount: 1 }, '400'],
    ['below zero', { kind: 'clawback', amount: -1, transactionId: randomUUID() }, '400'],
    ['of nothing', { kind: 'adjustment', amount: 0 }, '400'],
    ['of an unknown order', { kind: 'adjustment', amount: 1, transactionId: randomUUID() }, '404'],
    [
      'of an unknown wholesaler',
      { kind: 'adjustment', amount: 1, wholesalerId: randomUUID() },
      '404',
    ],
  ])('refuses one %s', async (_, body, status) => {
    const store = await transactions.createCornerStore();
    const answer = await adjust({ wholesalerId: store.caller.id, reason: 'x', ...body });
    expect(String(answer.status)).toBe(status);
  });
});

it('one person is enough without FOUR_EYES', async () => {
  const alone = await startTransactions({ FOUR_EYES: 'off' });
  try {
    const store = await alone.createCornerStore();
    const { id: wholesalerId } = store.caller;
    await deliveredOrder(alone, store, 500);
    const [{ statementId }] = (await closeNow(alone, store)).body.statements;
    const send = (path: string, body: object) =>
      alone.call(machine, 'POST', `/v1/admin/${path}`, { body });
    const answers = [
      await send(`statements/${statementId}/mark-paid`, { bankReference: 'A1', paidOn: today }),
      await send(`statements/${statementId}/mark-returned`, { reason: 'CLABE' }),
      await send('settlement-adjustments', {
        wholesalerId,
        kind: 'adjustment',
        amount: 1,
        reason: 'x',
      }),
    ];
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'paid'],
      [200, 'closed'],
      [201, undefined],
    ]);

    const audited = await alone.outbox('audit.recorded');
    const { lineId } = answers[2]?.body ?? {};
    const [by, of] = [
      { actorKind: 'ops', actorId: machine.id },
      { wholesalerId, number: 1 },
    ];
    const details = { ...of, amountCents: 48_840, bankReference: 'A1' };
    const adjusted = {
      wholesalerId,
      lineId,
      kind: 'adjustment',
      grossCents: 100,
      commissionCents: 0,
    };
    expect(audited.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { ...by, action: 'statement.paid', objectId: statementId, details },
        { ...by, action: 'statement.returned', objectId: statementId, details },
        { ...by, action: 'settlement.adjusted', objectId: lineId, details: adjusted },
      ]),
    );

    const body = { wholesalerId, kind: 'adjustment', amount: 50, reason: 'Flete' };
    const sendOnce = () =>
      alone.call(machine, 'POST', '/v1/admin/settlement-adjustments', {
        body,
        headers: { 'idempotency-key': 'flete-1' },
      });
    const [made, again] = await Promise.all([sendOnce(), sendOnce()]);
    expect([made.status, again.body.lineId]).toEqual([201, made.body.lineId]);
  } finally {
    await alone.stop();
  }
});
