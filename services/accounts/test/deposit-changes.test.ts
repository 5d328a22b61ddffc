import { randomUUID } from 'node:crypto';
import {
  CHANGE_JOBS,
  paymentsChangeExecuted,
  settlementChangeExecuted,
} from '@fiado/contracts/jobs/changes';
import { forAllTests } from '../../../test/support/for-all-tests';
import { expireChangeRequests } from '../src/approvals/expire-change-requests';
import { createWholesaler, startAccounts } from './support/accounts';
import { approveChange, person, shownChange } from './support/change-requests';

const accounts = forAllTests(startAccounts);

const ana = person();

/** As payments tells it: a reversal of a deposit waits. @returns its id */
async function requested(depositId: string = randomUUID()): Promise<string> {
  const changeRequestId = randomUUID();
  const aggregate = { id: changeRequestId, version: 1 };
  await accounts.handle(CHANGE_JOBS.deposit.requested, aggregate, {
    changeRequestId,
    kind: 'deposit.reverse',
    depositId,
    depositVersion: 2,
    payload: { reason: 'devuelto' },
    before: { status: 'applied', valorCents: 5_000 },
    reason: 'devuelto',
    requestedBy: ana.id,
  });
  return changeRequestId;
}

async function executed(changeRequestId: string, failure?: string): Promise<void> {
  const aggregate = { id: changeRequestId, version: 2 };
  await accounts.handle(paymentsChangeExecuted, aggregate, { changeRequestId, failure });
}

async function decisionsOn(changeRequestId: string): Promise<unknown[]> {
  const jobs = await accounts.outbox('deposit-change.decided');
  return jobs
    .map(({ data }) => data as { changeRequestId: string; isApproved: boolean })
    .filter((data) => data.changeRequestId === changeRequestId)
    .map(({ isApproved }) => isApproved);
}

it('of two approvals at once payments gets one, and its outcome ends the request', async () => {
  const id = await requested();
  expect((await approveChange(accounts, id, ana)).body.errorCode).toBe('SECOND_PERSON_REQUIRED');
  const answers = await Promise.all([approveChange(accounts, id), approveChange(accounts, id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(await decisionsOn(id)).toEqual([true]);
  expect(await shownChange(accounts, id)).toMatchObject({ status: 'approved' });

  await executed(id);
  await executed(id, 'STALE');
  expect(await shownChange(accounts, id)).toMatchObject({ status: 'executed', failure: null });
});

// Named as in the release before, as `depositId` is above.
it('a payout is asked for and decided like a deposit, and its bank reference stays out of the audit log', async () => {
  const changeRequestId = randomUUID();
  const aggregate = { id: changeRequestId, version: 1 };
  await accounts.handle(CHANGE_JOBS.payout.requested, aggregate, {
    changeRequestId,
    kind: 'payout.pay',
    payoutId: changeRequestId,
    payload: { cornerStoreId: randomUUID(), amountCents: 4_200, bankReference: 'CLABE-0123456789' },
    before: {},
    reason: 'pidió su saldo',
    requestedBy: ana.id,
  });
  expect(await shownChange(accounts, changeRequestId)).toMatchObject({
    kind: 'payout.pay',
    after: { amountCents: 4_200, bankReference: 'CLABE-0123456789' },
    reason: 'pidió su saldo',
  });
  expect((await approveChange(accounts, changeRequestId, ana)).status).toBe(403);
  expect((await approveChange(accounts, changeRequestId)).status).toBe(200);
  const jobs = await accounts.outbox('payout-change.decided');
  expect(jobs.map(({ data }) => data)).toEqual([
    {
      changeRequestId,
      targetId: changeRequestId,
      payoutId: changeRequestId,
      isApproved: true,
      decidedBy: expect.any(String),
    },
  ]);
  const audited = await accounts.rows<{ details: unknown }>(
    'SELECT details FROM audit_log WHERE object_id = $1',
    [changeRequestId],
  );
  expect(JSON.stringify(audited)).not.toMatch(/CLABE|saldo/);
});

it.each([
  ['its wholesaler', 'Abarrotes del Norte', 'wholesaler'],
  ['a person', null, 'ops'],
])(
  'a credit note that %s asks for is decided by somebody else, and its reference is not audited',
  async (_, requestedByName, actorKind) => {
    const [changeRequestId, targetId] = [randomUUID(), randomUUID()];
    const asWholesaler = actorKind === 'wholesaler';
    const { wholesalerId } = await createWholesaler(accounts);
    const requestedBy = asWholesaler ? wholesalerId : ana.id;
    const aggregate = { id: changeRequestId, version: 1 };
    await accounts.handle(CHANGE_JOBS.settlement.requested, aggregate, {
      changeRequestId,
      kind: 'credit-note.give',
      targetId,
      payload: { wholesalerId, amountCents: 4_200, reason: 'damaged', reference: 'DEV-7' },
      before: {},
      requestedBy,
    });
    const shown = await shownChange(accounts, changeRequestId);
    expect(shown).toMatchObject({ targetId, requestedBy, requestedByName, status: 'pending' });
    if (!asWholesaler) {
      const own = await approveChange(accounts, changeRequestId, ana);
      expect(own.body.errorCode).toBe('SECOND_PERSON_REQUIRED');
    }
    const { body } = await approveChange(accounts, changeRequestId);
    const jobs = await accounts.outbox('settlement-change.decided');
    expect(jobs.map(({ data }) => data)).toContainEqual({
      changeRequestId,
      targetId,
      isApproved: true,
      decidedBy: body.decidedBy,
    });
    const done = { id: changeRequestId, version: 2 };
    await accounts.handle(settlementChangeExecuted, done, { changeRequestId });
    const audited = await accounts.rows<{ action: string; by: string; details: unknown }>(
      `SELECT action, actor_kind AS by, details FROM audit_log
        WHERE object_id = $1 AND action <> 'change.approved' ORDER BY id`,
      [changeRequestId],
    );
    expect(audited.map(({ action, by }) => [action, by])).toEqual([
      ['change.requested', actorKind],
      ['change.executed', actorKind],
    ]);
    expect(JSON.stringify(audited)).not.toContain('DEV-7');
  },
);

it('a write-off is decided alike, and payments learns who decided', async () => {
  const [changeRequestId, receivableId] = [randomUUID(), randomUUID()];
  const aggregate = { id: changeRequestId, version: 1 };
  await accounts.handle(CHANGE_JOBS.receivable.requested, aggregate, {
    changeRequestId,
    kind: 'receivable.write-off',
    targetId: receivableId,
    payload: { cornerStoreId: randomUUID(), amountCents: 105_800 },
    before: {},
    reason: 'la tienda cerró',
    requestedBy: ana.id,
  });
  const { body } = await approveChange(accounts, changeRequestId);
  const jobs = await accounts.outbox('receivable-change.decided');
  expect(jobs.map(({ data }) => data)).toEqual([
    {
      changeRequestId,
      targetId: receivableId,
      receivableId,
      isApproved: true,
      decidedBy: body.decidedBy,
    },
  ]);
});

it('after 72 hours nobody can approve it, and payments gets a job that drops it', async () => {
  const id = await requested();
  await accounts.rows(
    `UPDATE change_requests SET expires_at = expires_at - interval '73 hours' WHERE id = $1`,
    [id],
  );
  expect((await approveChange(accounts, id)).body.errorCode).toBe('CHANGE_REQUEST_IS_NOT_PENDING');
  await expireChangeRequests(accounts.context);
  expect(await decisionsOn(id)).toEqual([false]);
  expect(await shownChange(accounts, id)).toMatchObject({ status: 'expired' });
});

it('the next request for a deposit may come before the outcome of the one before', async () => {
  const depositId = randomUUID();
  const first = await requested(depositId);
  await approveChange(accounts, first);
  const next = await requested(depositId);
  await executed(first, 'STALE');
  expect(await shownChange(accounts, first)).toMatchObject({ status: 'failed', failure: 'STALE' });
  expect(await shownChange(accounts, next)).toMatchObject({ status: 'pending' });
});

it('a job about a deposit cannot ask for a change of something else', async () => {
  const changeRequestId = randomUUID();
  const aggregate = { id: changeRequestId, version: 1 };
  const job = accounts.handle(CHANGE_JOBS.deposit.requested, aggregate, {
    changeRequestId,
    kind: 'statement.pay',
    targetId: randomUUID(),
    payload: {},
    before: {},
    requestedBy: ana.id,
  });
  await expect(job).rejects.toMatchObject({ problems: [expect.stringContaining('kind')] });
  expect((await approveChange(accounts, changeRequestId)).status).toBe(404);
});
