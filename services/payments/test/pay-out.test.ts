import { randomUUID } from 'node:crypto';
import { ops, staffMember, wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { auditedOf } from './support/audited';
import { brokenInvariants, deliverOverdue, detect, toldOf } from './support/defaults';
import { ana, payoutCalls } from './support/payouts';
import { balanceOf, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);
afterEach(async () => {
  expect(await brokenInvariants(payments)).toEqual([]);
});

const { withBalance, payOut, returned, decide, debtsOf, lastMoneyOf, statusesOf } =
  payoutCalls(payments);

describe('a payout', () => {
  it('leaves the balance, and comes back once when the bank returns it', async () => {
    const store = await withBalance(500);
    const { status, body } = await payOut(store, 300.5, { bankReference: 'SPEI 0042-a' });
    expect([status, body]).toMatchObject([
      201,
      { amount: 300.5, bankReference: 'SPEI 0042-a', status: 'paid', returnedAt: null },
    ]);
    expect(await balanceOf(payments, store)).toBe(19_950);

    const answers = await inFlight(
      Array.from({ length: 20 }, () => () => returned(store, body.payoutId)),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'returned' } });
    const details = { cornerStoreId: store.cornerStoreId, amountCents: 30_050 };
    expect(await auditedOf(payments, body.payoutId)).toMatchObject([
      { action: 'payout.paid', actorId: 'ops', details },
      { action: 'payout.returned', actorId: 'ops', details },
    ]);
    // From then on the personal data are kept for the retention.
    expect(await lastMoneyOf(store)).toBe(answers[0]?.body.returnedAt);
    expect(await balanceOf(payments, store)).toBe(50_000);
  });

  it.each(['SPEI 77-B', ' spei77b ', 'spei-77-b'])(
    'has a bank reference of its own, however it is written: %s',
    async (again) => {
      const store = await withBalance(500);
      const prefix = randomUUID().slice(0, 8);
      expect((await payOut(store, 1, { bankReference: `${prefix}SPEI77B` })).status).toBe(201);
      for (const other of [store, await withBalance(5)]) {
        expect(await payOut(other, 1, { bankReference: `${prefix}${again}` })).toMatchObject({
          status: 409,
          body: { errorCode: 'BANK_REFERENCE_ALREADY_USED' },
        });
      }
      expect(await balanceOf(payments, store)).toBe(49_900);
    },
  );

  it('is refused beyond the balance, of an unknown store, with a bad body and to others', async () => {
    const store = await withBalance(500);
    for (const amount of [500.01, 1_000_000]) {
      expect(await payOut(store, amount)).toMatchObject({
        status: 422,
        body: { errorCode: 'PAYOUT_AMOUNT_NOT_ALLOWED' },
      });
    }
    for (const amount of [0, -1, 0.001, '1', null, 90_000_000_000_000, 1e300]) {
      expect((await payOut(store, amount)).status).toBe(400);
    }
    for (const bankReference of ['', '  ', ' -- ', 'SPЕI 77', 'ＳＰＥＩ', 7, 'x'.repeat(65)]) {
      expect((await payOut(store, 1, { bankReference })).status).toBe(400);
    }
    expect((await payOut(store, 1, { bankReference: 'PEÑA 77' })).body.message).toEqual([
      'bankReference must have a letter or digit, and only letters without accents, digits and ASCII signs',
    ]);
    expect((await payOut({ cornerStoreId: randomUUID() }, 1)).body.errorCode).toBe(
      'CORNER_STORE_NOT_FOUND',
    );
    for (const by of [wholesaler(), ops('operator')]) {
      expect((await payOut(store, 1, { by })).status).toBe(403);
    }
    const { payoutId } = (await payOut(store, 1)).body;
    for (const [other, id] of [
      [store, randomUUID()],
      [await withBalance(5), payoutId],
    ]) {
      expect((await returned(other, id)).body.errorCode).toBe('PAYOUT_NOT_FOUND');
    }
  });

  it('of a person is reserved until a second person decides', async () => {
    const store = await withBalance(500);
    const bankReference = randomUUID();
    const { status, body } = await payOut(store, 400, { by: ana, bankReference });
    expect([status, body.status]).toEqual([202, 'pending']);
    const id = body.changeRequestId;
    expect((await payOut(store, 400, { by: ana, bankReference })).body).toEqual(body);
    expect((await payOut(store, 100, { by: ana, bankReference })).status).toBe(409);
    expect(await debtsOf(store)).toEqual({ balance: 10_000, reserved: 40_000, recovery: 0 });
    expect((await payOut(store, 101)).status).toBe(422);
    expect((await returned(store, id)).body.errorCode).toBe('PAYOUT_IS_NOT_PAID');
    const asked = await payments.outbox('payout-change.requested');
    expect(asked.map(({ data }) => data)).toMatchObject([
      { changeRequestId: id, payoutId: id, kind: 'payout.pay', requestedBy: ana.id },
    ]);

    await decide(id, id, false);
    await decide(id, id, true);
    expect(await statusesOf(store)).toEqual(['cancelled']);
    expect(await debtsOf(store)).toEqual({ balance: 50_000, reserved: 0, recovery: 0 });
    // A cancelled payout keeps no reference from being used.
    const again = (await payOut(store, 400, { by: ana, bankReference })).body.changeRequestId;
    await Promise.all([decide(again, again, true), decide(again, again, true)]);
    await decide(again, again, false);
    expect(await statusesOf(store)).toEqual(['paid', 'cancelled']);
    expect(await balanceOf(payments, store)).toBe(10_000);
  });

  it('is booked back for a person only after a second person approved', async () => {
    const store = await withBalance(500);
    const { payoutId } = (await payOut(store, 500)).body;
    const asked = await returned(store, payoutId, ana);
    expect(asked.status).toBe(202);
    const id = asked.body.changeRequestId;
    expect((await returned(store, payoutId, ana)).body).toEqual(asked.body);
    const luz = staffMember('approver', new Date());
    expect((await returned(store, payoutId, luz)).body.errorCode).toBe('CHANGE_ALREADY_REQUESTED');
    await decide(id, payoutId, false);
    expect(await balanceOf(payments, store)).toBe(0);
    const next = (await returned(store, payoutId, luz)).body.changeRequestId;
    await decide(id, payoutId, true);
    expect(await balanceOf(payments, store)).toBe(0);
    await decide(next, payoutId, true);
    expect(await balanceOf(payments, store)).toBe(50_000);
  });

  it('that comes back pays what the store owes by then, and closes its default', async () => {
    const store = await withBalance(1100);
    const id = (await payOut(store, 1100, { by: ana })).body.changeRequestId;
    const { userId, cornerStoreId } = store;
    const order = await deliverOverdue(payments, { userId, cornerStoreId });
    await detect(payments);
    expect((await receivableOf(payments, order)).paid).toBe(false);
    await decide(id, id, false);
    expect((await receivableOf(payments, order)).paid).toBe(true);
    expect(await balanceOf(payments, store)).toBe(4_200);
    const told = await toldOf(payments, store);
    expect(told.map(({ overdueCount }) => overdueCount)).toEqual([1, 0]);
  });
});

describe('at the same time', () => {
  it('20 payouts of one balance never pay out more than it has', async () => {
    const store = await withBalance(500);
    const answers = await inFlight(Array.from({ length: 20 }, () => () => payOut(store, 60)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(8);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(12);
    expect(await balanceOf(payments, store)).toBe(2_000);
  });

  it('of 20 payouts with one bank reference, of ten stores, one is paid', async () => {
    const stores = await Promise.all(Array.from({ length: 10 }, () => withBalance(500)));
    const bankReference = randomUUID();
    const answers = await inFlight(
      [...stores, ...stores].map((store) => () => payOut(store, 60, { bankReference })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});
