import { randomUUID } from 'node:crypto';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { ops, staffMember } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { allowLongStatements } from '@fiado/chassis/db/query';
import { forAllTests } from '../../../test/support/for-all-tests';
import { readBooks } from '../src/portfolio/books.sql';
import { auditedOf } from './support/audited';
import { brokenInvariants, deliverOverdue, payFor, reverse } from './support/defaults';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const ana = staffMember('approver', new Date());

const payments = forAllTests(startPayments);

async function overdue() {
  const order = await deliverOverdue(payments);
  return { ...(await receivableOf(payments, order)), transactionId: order.transactionId };
}

const writeOff = (receivableId: string, by = ops(), reason = 'cerró'): Promise<Answer> =>
  payments.call(by, 'POST', `/v1/admin/receivables/${receivableId}/write-off`, {
    body: { reason },
  });

const shown = async (receivableId: string): Promise<Answer['body']> =>
  (await payments.call(ops(), 'GET', `/v1/admin/receivables/${receivableId}`)).body;

/** As accounts tells it. */
function decide(changeRequestId: string, receivableId: string, isApproved = true): Promise<void> {
  const aggregate = { id: changeRequestId, version: 1 };
  const decision = { changeRequestId, targetId: receivableId, isApproved, decidedBy: 'luis' };
  return payments.deliver(CHANGE_JOBS.receivable.decided, aggregate, decision);
}

const writeOffsOf = (receivableId: string): Promise<object[]> =>
  payments.rows(
    `SELECT principal_cents, requested_by, approved_by FROM write_offs WHERE receivable_id = $1`,
    [receivableId],
  );

/** What moved today in cents, of all wholesalers, as the books of the day will have it. */
async function movedToday(): Promise<Record<string, number>> {
  const [today] = await payments.rows<{ day: string; startsAt: Date; endsAt: Date }>(
    `SELECT now()::date::text AS day, now() - interval '1 hour' AS "startsAt",
            now() + interval '1 hour' AS "endsAt"`,
  );
  if (today === undefined) throw new Error('There is a row');
  const zone = { timeZone: 'America/Mexico_City', first: today.startsAt };
  const { flows } = await payments.context.db.snapshot(async (tx) => {
    await allowLongStatements(tx);
    return readBooks(tx, today, zone);
  });
  const sums: Record<string, number> = {};
  for (const flow of flows) {
    for (const [name, cents] of Object.entries(flow)) {
      if (typeof cents === 'number') sums[name] = (sums[name] ?? 0) + cents;
    }
  }
  return sums;
}

it('a debt is written off once with what it owes, stays owed, and later payments are recovered', async () => {
  const debt = await overdue();
  await payFor(payments, debt, 258);
  const { status, body } = await writeOff(debt.id);
  expect([status, body]).toEqual([
    201,
    {
      receivableId: debt.id,
      principal: 800,
      interests: 0,
      IVAAmount: 0,
      reason: 'cerró',
      requestedBy: expect.any(String),
      approvedBy: null,
      writtenOffAt: expect.any(String),
    },
  ]);
  expect((await writeOff(debt.id, ops(), 'otra vez')).body).toEqual(body);
  expect(await auditedOf(payments, debt.id)).toMatchObject([
    { action: 'receivable.written-off', details: { amountCents: 80_000 } },
  ]);
  const before = await movedToday();
  expect(before).toMatchObject({ written_off_principal_cents: 80_000, recovered_cents: 0 });

  const depositId = await payFor(payments, debt, 500);
  expect((await receivableOf(payments, debt)).outstanding).toEqual([0, 0, 30_000]);
  expect(await movedToday()).toMatchObject({
    written_off_principal_cents: 80_000,
    collected_principal_cents: before.collected_principal_cents,
    recovered_cents: 50_000,
  });
  await reverse(payments, depositId);
  expect(await movedToday()).toEqual(before);
  expect(await brokenInvariants(payments)).toEqual([]);
});

it('only an overdue debt is written off', async () => {
  const pending = delivery({ dueAt: new Date(Date.now() + 86_400_000).toISOString() });
  await deliverTransaction(payments, pending);
  const paid = await overdue();
  await payFor(payments, paid, 1058);
  for (const id of [(await receivableOf(payments, pending)).id, paid.id]) {
    const { status, body } = await writeOff(id);
    expect([status, body.errorCode]).toEqual([422, 'RECEIVABLE_IS_NOT_OVERDUE']);
  }
  for (const id of [randomUUID(), 'x']) {
    expect((await writeOff(id)).body.errorCode).toBe('RECEIVABLE_NOT_FOUND');
  }
});

it('a person’s write-off waits for a second person, who is kept', async () => {
  const debt = await overdue();
  const { status, body } = await writeOff(debt.id, ana);
  expect(status).toBe(202);
  const { changeRequestId } = body;
  expect(await shown(debt.id)).toMatchObject({
    writtenOffAt: null,
    pendingChange: { changeRequestId, kind: 'receivable.write-off', requestedBy: ana.id },
  });
  expect((await writeOff(debt.id, ana)).body).toEqual(body);
  const other = await writeOff(debt.id, staffMember('approver', new Date()));
  expect(other.body).toMatchObject({ errorCode: 'CHANGE_ALREADY_REQUESTED', changeRequestId });
  expect(await writeOffsOf(debt.id)).toEqual([]);
  const [request] = (await payments.outbox('receivable-change.requested')).filter(
    (row) => row.aggregate_id === changeRequestId,
  );
  expect(request?.data).toMatchObject({ receivableId: debt.id, payload: { amountCents: 105_800 } });

  await decide(changeRequestId, debt.id);
  expect(await writeOffsOf(debt.id)).toEqual([
    { principal_cents: 100_000, requested_by: ana.id, approved_by: 'luis' },
  ]);
  expect(await shown(debt.id)).toMatchObject({
    status: 'overdue',
    writtenOffAt: expect.any(String),
    pendingChange: null,
  });
});

it('a rejected write-off is forgotten, and one whose debt was paid meanwhile is not made', async () => {
  const debt = await overdue();
  const rejected = (await writeOff(debt.id, ana)).body.changeRequestId;
  await decide(rejected, debt.id, false);
  const again = (await writeOff(debt.id, ana)).body.changeRequestId;
  expect(again).not.toBe(rejected);
  await payFor(payments, debt, 1058);
  await decide(again, debt.id);
  expect(await writeOffsOf(debt.id)).toEqual([]);
  const outcome = (await payments.outbox('deposit-change.executed')).find(
    (row) => row.aggregate_id === again,
  );
  expect(outcome?.data).toMatchObject({ failure: 'CHANGE_TARGET_CHANGED' });
});
