import { randomUUID } from 'node:crypto';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deliverOverdue } from './support/defaults';
import { ana, payoutCalls } from './support/payouts';
import { receivableOf } from './support/receivable';
import { startPayments } from './support/service';

/** During an upgrade, processes of the release before keep their waiting changes in three other tables. */

const payments = forAllTests(startPayments);
afterEach(async () => {
  expect(await payments.rows('SELECT kind FROM waiting_changes')).toEqual([]);
  expect(await payments.rows('SELECT kind FROM waiting_changes_before')).toEqual([]);
});

const { withBalance, payOut, returned } = payoutCalls(payments);

/** As accounts tells it. */
function decide(subject: 'deposit' | 'payout' | 'receivable', id: string, targetId: string) {
  const decision = { changeRequestId: id, targetId, isApproved: true, decidedBy: 'luis' };
  return payments.handle(CHANGE_JOBS[subject].decided, { id, version: 1 }, decision);
}

const paidOut = async () => {
  const store = await withBalance(500);
  const { payoutId } = (await payOut(store, 100)).body;
  return { store, payoutId };
};
const payoutsOf = async ({ cornerStoreId }: { cornerStoreId: string }) =>
  (await payments.call(ops(), 'GET', `/v1/admin/corner-stores/${cornerStoreId}/payouts`)).body
    .payouts;
const reasonBody = { body: { reason: 'otra tienda' } };
const reverse = (depositId: string, by = ana) =>
  payments.call(by, 'POST', `/v1/admin/deposits/${depositId}/reverse`, reasonBody);
const writeOff = (receivableId: string) =>
  payments.call(ana, 'POST', `/v1/admin/receivables/${receivableId}/write-off`, reasonBody);
const overdueDebt = async () => (await receivableOf(payments, await deliverOverdue(payments))).id;

/** The statement with which a process of the release before stores a change of a deposit. */
const storeDepositChange = (depositId: string, by = ana.id) =>
  payments.rows<{ changeRequestId: string; isNew: boolean; isSame: boolean }>(
    `WITH added AS (
       INSERT INTO deposit_changes (change_request_id, deposit_id, kind, payload, requested_by, deposit_version)
       VALUES ($2, $1, $3, $4, $5, $7) ON CONFLICT DO NOTHING RETURNING change_request_id)
     SELECT change_request_id AS "changeRequestId", true AS "isNew", true AS "isSame" FROM added
     UNION ALL
     SELECT change_request_id, false, kind = $3 AND requested_by = $5
              AND payload - $6::text[] = $4::jsonb - $6::text[]
       FROM deposit_changes WHERE deposit_id = $1`,
    [depositId, randomUUID(), 'deposit.reverse', { reason: 'otra tienda' }, by, [], 2],
  );

describe('a change that a process of the release before stores is decided by this one', () => {
  it('of a deposit', async () => {
    const { depositId } = await withBalance(500);
    const [stored] = await storeDepositChange(depositId);
    const { changeRequestId = '' } = stored ?? {};
    expect((await reverse(depositId)).body).toEqual({ changeRequestId, status: 'pending' });
    await decide('deposit', changeRequestId, depositId);
    expect((await reverse(depositId, ops())).body.status).toBe('reversed');
    const decisions = await payments.rows(
      'SELECT decided_by, reason FROM deposit_decisions WHERE deposit_id = $1',
      [depositId],
    );
    expect(decisions).toEqual([{ decided_by: ana.id, reason: 'otra tienda' }]);
  });

  it('of a debt', async () => {
    const [debt, id] = [await overdueDebt(), randomUUID()];
    await payments.rows(
      `INSERT INTO write_off_requests (receivable_id, change_request_id, reason, requested_by)
       VALUES ($1, $2, 'otra tienda', $3)`,
      [debt, id, ana.id],
    );
    expect((await writeOff(debt)).body.changeRequestId).toBe(id);
    await decide('receivable', id, debt);
    expect(await payments.rows('SELECT reason, approved_by FROM write_offs')).toEqual([
      { reason: 'otra tienda', approved_by: 'luis' },
    ]);
  });

  it('of a payout, and of one that the bank returned', async () => {
    const store = await withBalance(500);
    const id = randomUUID();
    await payments.rows(
      `INSERT INTO payouts (id, user_id, corner_store_id, amount_cents, bank_reference,
         bank_reference_key, reason, status, requested_by, paid_at)
       VALUES ($1, $2, $3, 100, 'SPEI 1', 'SPEI1', 'pidió su saldo', 'requested', $4, NULL)`,
      [id, store.userId, store.cornerStoreId, ana.id],
    );
    await decide('payout', id, id);
    expect(await payoutsOf(store)).toMatchObject([{ status: 'paid', returnRequestId: null }]);

    const returnId = randomUUID();
    await payments.rows(
      'UPDATE payouts SET return_requested_id = $2, return_requested_by = $3 WHERE id = $1',
      [id, returnId, ana.id],
    );
    expect((await returned(store, id, ana)).body.changeRequestId).toBe(returnId);
    expect(await payoutsOf(store)).toMatchObject([{ returnRequestId: returnId }]);
    await decide('payout', returnId, id);
    expect(await payoutsOf(store)).toMatchObject([{ status: 'returned', returnRequestId: null }]);
  });
});

describe('a change that this process stores is decided by one of the release before', () => {
  it('of a deposit', async () => {
    const { depositId } = await withBalance(500);
    const { changeRequestId } = (await reverse(depositId)).body;
    // The same person asks that process again, and then another one.
    expect(await storeDepositChange(depositId)).toEqual([
      { changeRequestId, isNew: false, isSame: true },
    ]);
    expect(await storeDepositChange(depositId, 'luis')).toMatchObject([{ isSame: false }]);
    expect(
      await payments.rows('DELETE FROM deposit_changes WHERE change_request_id = $1 RETURNING *', [
        changeRequestId,
      ]),
    ).toMatchObject([
      {
        deposit_id: depositId,
        kind: 'deposit.reverse',
        payload: { reason: 'otra tienda' },
        deposit_version: 2,
        requested_by: ana.id,
      },
    ]);
  });

  it('of a debt', async () => {
    const { changeRequestId } = (await writeOff(await overdueDebt())).body;
    expect(
      await payments.rows(
        'DELETE FROM write_off_requests WHERE change_request_id = $1 RETURNING reason, requested_by',
        [changeRequestId],
      ),
    ).toEqual([{ reason: 'otra tienda', requested_by: ana.id }]);
  });

  it('of a payout, and of one that the bank returned', async () => {
    const store = await withBalance(500);
    const id = (await payOut(store, 100, { by: ana })).body.changeRequestId;
    await payments.rows(`UPDATE payouts SET status = 'paid', paid_at = now() WHERE id = $1`, [id]);

    const { changeRequestId } = (await returned(store, id, ana)).body;
    const none = { return_requested_id: null, return_requested_by: null };
    const columns = Object.keys(none).join();
    expect(await payments.rows(`SELECT ${columns} FROM payouts WHERE id = $1`, [id])).toEqual([
      { return_requested_id: changeRequestId, return_requested_by: ana.id },
    ]);
    await payments.rows(
      `UPDATE payouts SET return_requested_id = NULL, return_requested_by = NULL WHERE id = $1`,
      [id],
    );
    expect(await payoutsOf(store)).toMatchObject([{ status: 'paid', returnRequestId: null }]);
  });
});

it('the text of a change is erased by a process of the release before, too', async () => {
  const { depositId } = await withBalance(500);
  await reverse(depositId);
  await payments.rows(`UPDATE deposit_changes SET payload = '{}' WHERE deposit_id = $1`, [
    depositId,
  ]);
  expect(await payments.rows('SELECT payload FROM waiting_changes')).toEqual([
    { payload: { depositVersion: 2 } },
  ]);
  await payments.rows('DELETE FROM deposit_changes');
});

it('a payout that a key books back ends the request of a person, also for the release before', async () => {
  const { store, payoutId } = await paidOut();
  expect((await returned(store, payoutId, ana)).status).toBe(202);
  expect((await returned(store, payoutId)).body).toMatchObject({
    status: 'returned',
    returnRequestId: null,
  });
});
