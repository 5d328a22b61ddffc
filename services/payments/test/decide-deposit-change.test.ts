import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { depositJson, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const ana = staffMember('approver', new Date());

/** Posts a deposit that matches nobody. @returns its id */
async function unmatched(valor: number): Promise<string> {
  const body = depositJson({ valor });
  await postDeposit(payments, body);
  await untilSettled(payments);
  const [row] = await payments.rows<{ id: string }>(
    'SELECT id FROM deposits WHERE clave_de_pago = $1',
    [body.claveDePago],
  );
  return row?.id ?? '';
}

function reverse(depositId: string, by = ana, reason = 'devuelto'): Promise<Answer> {
  const path = `/v1/admin/deposits/${depositId}/reverse`;
  return payments.call(by, 'POST', path, { body: { reason } });
}

function decide(changeRequestId: string, depositId: string, isApproved = true): Promise<void> {
  const decision = { changeRequestId, depositId, isApproved };
  return payments.deliver(
    CHANGE_JOBS.deposit.decided,
    { id: changeRequestId, version: 1 },
    decision,
  );
}

async function listed(depositId: string): Promise<Record<string, unknown>> {
  const { body } = await payments.call(ops(), 'GET', '/v1/admin/deposits?limit=100');
  return body.deposits.find((one: { depositId: string }) => one.depositId === depositId);
}

async function resultsOf(changeRequestId: string): Promise<unknown[]> {
  const rows = await payments.outbox('deposit-change.executed');
  return rows
    .map(({ data }) => data)
    .filter((data) => JSON.stringify(data).includes(changeRequestId));
}

it('a person’s reversal waits, shows on the deposit, and happens once after the approval', async () => {
  const depositId = await unmatched(50);
  const { status, body } = await reverse(depositId);
  expect([status, body.status]).toEqual([202, 'pending']);
  const { changeRequestId } = body;
  expect((await reverse(depositId)).body).toEqual(body);
  expect(await reverse(depositId, ana, 'otra')).toMatchObject({
    status: 409,
    body: { errorCode: 'CHANGE_ALREADY_REQUESTED', changeRequestId },
  });
  expect(await listed(depositId)).toMatchObject({
    status: 'unmatched',
    pendingChange: { changeRequestId, kind: 'deposit.reverse', requestedBy: ana.id },
  });
  const shown = await payments.call(ops('viewer'), 'GET', `/v1/admin/deposits/${depositId}`);
  expect(shown.body.pendingChange).toEqual((await listed(depositId))?.['pendingChange']);
  const asked = await payments.outbox('deposit-change.requested');
  expect(asked.map(({ data }) => data)).toMatchObject([{ changeRequestId, depositId }]);

  await decide(changeRequestId, depositId);
  await decide(changeRequestId, depositId);
  expect(await listed(depositId)).toMatchObject({ status: 'reversed', pendingChange: null });
  expect(await resultsOf(changeRequestId)).toEqual([{ changeRequestId }]);
  expect(
    await payments.rows('SELECT decided_by FROM deposit_decisions WHERE deposit_id = $1', [
      depositId,
    ]),
  ).toEqual([{ decided_by: ana.id }]);
});

/** Assigns a new unmatched deposit to a store. */
async function assign(store: { cornerStoreId: string }, valor: number, by = ana) {
  const depositId = await unmatched(valor);
  const path = `/v1/admin/deposits/${depositId}/assign`;
  const body = { cornerStoreId: store.cornerStoreId };
  return { depositId, answer: await payments.call(by, 'POST', path, { body }) };
}

it('an assignment waits above 10,000 pesos only', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  expect((await assign(order, 10_000)).answer.status).toBe(200);
  const { depositId, answer } = await assign(order, 10_000.01);
  expect(answer.status).toBe(202);
  await decide(answer.body.changeRequestId, depositId);
  expect(await listed(depositId)).toMatchObject({ status: 'applied' });
});

describe('small assignments', () => {
  const luz = staffMember('approver', new Date());

  it('to one store wait above 10,000 pesos in sum in 30 days, whoever makes them', async () => {
    const [order, other] = [delivery(), delivery()];
    await deliverTransaction(payments, order);
    await deliverTransaction(payments, other);
    // What a key assigns, and what two people approve, counts for nothing.
    expect((await assign(order, 5_000, ops())).answer.status).toBe(200);
    const large = await assign(order, 10_001);
    await decide(large.answer.body.changeRequestId, large.depositId);
    for (const [valor, by] of [
      [6_000, ana],
      [4_000, luz],
    ] as const) {
      expect((await assign(order, valor, by)).answer.status).toBe(200);
    }
    for (const by of [ana, luz]) expect((await assign(order, 0.01, by)).answer.status).toBe(202);
    expect((await assign(order, 0.01, ops())).answer.status).toBe(200);
    expect((await assign(other, 10_000)).answer.status).toBe(200);

    // The rows are append-only for the service.
    const owner = new Client({ connectionString: payments.ownerUrl });
    await owner.connect();
    await owner.query('ALTER TABLE payments.deposit_decisions DISABLE TRIGGER USER');
    await owner.query(
      `UPDATE payments.deposit_decisions SET decided_at = now() - interval '31 days'`,
    );
    await owner.end();
    expect((await assign(order, 10_000)).answer.status).toBe(200);
  });

  it('at the same time do not pass together', async () => {
    const order = delivery();
    await deliverTransaction(payments, order);
    const answers = await inFlight(
      await Promise.all(
        Array.from({ length: 10 }, async (_, at) => {
          const depositId = await unmatched(3_000);
          const path = `/v1/admin/deposits/${depositId}/assign`;
          const body = { cornerStoreId: order.cornerStoreId };
          return () => payments.call(at % 2 === 0 ? ana : luz, 'POST', path, { body });
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 202, 202, 202, 202, 202, 202, 202]);
  });
});

it('a deposit that has moved on is left alone: the change is stale', async () => {
  const depositId = await unmatched(50);
  const { changeRequestId } = (await reverse(depositId)).body;
  expect((await reverse(depositId, ops())).status).toBe(200);
  await decide(changeRequestId, depositId);
  expect(await resultsOf(changeRequestId)).toEqual([{ changeRequestId, failure: 'STALE' }]);
});

it('two decisions at once make the change once, and a request meanwhile waits for them', async () => {
  const depositId = await unmatched(50);
  const { changeRequestId } = (await reverse(depositId)).body;
  const [, , again] = await Promise.all([
    decide(changeRequestId, depositId),
    decide(changeRequestId, depositId),
    reverse(depositId, ana, 'otra'),
  ]);
  expect([200, 409]).toContain(again.status);
  expect(await resultsOf(changeRequestId)).toEqual([{ changeRequestId }]);
  expect(
    await payments.rows('SELECT decision FROM deposit_decisions WHERE deposit_id = $1', [
      depositId,
    ]),
  ).toEqual([{ decision: 'reversed' }]);
});

it('a rejected change leaves the deposit as it is, and another may be asked for', async () => {
  const depositId = await unmatched(50);
  const { changeRequestId } = (await reverse(depositId)).body;
  await decide(changeRequestId, depositId, false);
  expect(await listed(depositId)).toMatchObject({ status: 'unmatched', pendingChange: null });
  expect((await reverse(depositId)).body.changeRequestId).not.toBe(changeRequestId);
});

it('a decision on a change that nobody asked for does nothing', async () => {
  const depositId = await unmatched(50);
  await decide(randomUUID(), depositId);
  expect(await listed(depositId)).toMatchObject({ status: 'unmatched' });
});
