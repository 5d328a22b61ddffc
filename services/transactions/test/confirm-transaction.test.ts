import { wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { codeOf, confirm, orderOnHold } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

function fullWidth(code: string): string {
  return code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
}

function refusalOf({ status, body }: Answer): string {
  expect([status, body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
  return `${body.reason}, ${body.checksLeft} left`;
}

describe('PUT /transaction/{id}/verification/{id}', () => {
  it('puts the order on hold and sends the delivery word', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);

    expect(await transactions.statusOf(store, transactionId)).toBe('on-hold');
    expect((await transactions.lastSms(transactionId)).values).toHaveProperty('word');
  });

  it.each([
    ['a space behind it', (code: string) => `${code} `],
    ['a line end', (code: string) => `${code}\r\n`],
    ['a space in it', (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}`],
    ['a hyphen in it', (code: string) => `${code.slice(0, 3)}\u2010${code.slice(3)}`],
    ['invisible marks', (code: string) => `\u202a${code}\u202c\u200b`],
    ['full-width digits', fullWidth],
  ])('accepts the code with %s', async (_what, typed) => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const code = await codeOf(transactions, order.transactionId);
    expect((await confirm(transactions, store, order, typed(code))).status).toBe(200);
  });

  it('counts no check for a text that is no code', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const code = await codeOf(transactions, order.transactionId);
    for (const text of [
      'hola',
      '',
      '1'.repeat(40),
      code.slice(1),
      `${code}0`,
      `o${code.slice(1)}`,
    ]) {
      expect(refusalOf(await confirm(transactions, store, order, text))).toBe('not-a-code, 5 left');
    }
    const [{ wrong } = { wrong: null }] = await transactions.rows<{ wrong: number | null }>(
      'SELECT wrong_codes AS wrong FROM customers WHERE corner_store_id = $1',
      [store.cornerStoreId],
    );
    expect(wrong).toBe(0);
    expect((await confirm(transactions, store, order, code)).status).toBe(200);
  });

  it('accepts the code once of twenty parallel requests', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const errorCode = await codeOf(transactions, order.transactionId);

    const answers = await inFlight(
      Array.from(
        { length: 20 },
        () => () => transactions.call(store.caller, 'PUT', path, { body: { errorCode } }),
      ),
    );

    expect(answers.map(({ status, body }) => String(body.errorCode ?? status)).sort()).toEqual([
      '200',
      ...Array.from({ length: 19 }, () => 'TRANSACTION_IS_VERIFIED'),
    ]);
    const words = await transactions.rows(
      `SELECT 1 FROM outbox WHERE aggregate_id = $1 AND data->>'template' = 'delivery-word'`,
      [order.transactionId],
    );
    expect(words).toHaveLength(1);
    const again = await transactions.call(store.caller, 'PUT', path, { body: { errorCode } });
    expect([again.status, again.body.errorCode]).toEqual([422, 'TRANSACTION_IS_VERIFIED']);
  });

  it('evaluates five guesses and no more, even of fifty at once', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const errorCode = await codeOf(transactions, order.transactionId);
    const guesses = Array.from(
      { length: 50 },
      () => () =>
        transactions.call(store.caller, 'PUT', path, { body: { errorCode: wrong(errorCode) } }),
    );
    const refusals = (await inFlight(guesses)).map(refusalOf);
    expect(refusals.filter((refusal) => refusal.startsWith('wrong')).sort()).toEqual(
      [0, 1, 2, 3, 4].map((checksLeft) => `wrong, ${checksLeft} left`),
    );
    expect(refusals.filter((refusal) => refusal === 'checks-used-up, 0 left')).toHaveLength(45);

    const right = await transactions.call(store.caller, 'PUT', path, { body: { errorCode } });
    expect(refusalOf(right)).toBe('checks-used-up, 0 left');
    const [row] = await transactions.rows<{ checks: number }>(
      'SELECT checks FROM verifications WHERE id = $1',
      [order.verificationId],
    );
    expect(row?.checks).toBe(5);
  });

  it('refuses an expired code with its reason, right or wrong, and counts no check', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const code = await codeOf(transactions, order.transactionId);
    await transactions.rows('UPDATE verifications SET expires_at = now() WHERE id = $1', [
      order.verificationId,
    ]);

    const answers = [
      await confirm(transactions, store, order, code),
      await confirm(transactions, store, order, wrong(code)),
    ];

    expect(answers.map(refusalOf)).toEqual(['expired, 0 left', 'expired, 0 left']);
    const verification = await transactions.rows('SELECT checks FROM verifications WHERE id = $1', [
      order.verificationId,
    ]);
    expect(verification).toEqual([{ checks: 0 }]);
  });

  it('replaces a used-up code with the next resend', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const first = await codeOf(transactions, order.transactionId);
    for (let i = 0; i < 5; i += 1) {
      await transactions.call(store.caller, 'PUT', path, { body: { errorCode: wrong(first) } });
    }

    expect((await transactions.call(store.caller, 'POST', path)).status).toBe(200);
    const errorCode = await codeOf(transactions, order.transactionId);
    expect(
      (await transactions.call(store.caller, 'PUT', path, { body: { errorCode } })).status,
    ).toBe(200);
  });

  it('refuses the code of a store that was rejected meanwhile, and accepts it after its approval', async () => {
    const { accounts } = transactions;
    const store = await transactions.createCornerStore();
    const ids = { cornerStoreId: store.cornerStoreId, userId: store.userId };
    const { body: order } = await transactions.order(store);
    const code = await codeOf(transactions, order.transactionId);
    const confirmed = () => confirm(transactions, store, order, code);
    const { caller } = store;
    const rejected = { ...ids, status: 'pre-approved', creditLimitCents: 0 } as const;
    await transactions.createCornerStore({ caller, version: 2, store: rejected });

    const questions = accounts.questions;
    expect(refusalOf(await confirmed())).toBe('store-not-eligible, 5 left');
    expect(accounts.questions).toBe(questions + 1);
    accounts.up = false;
    expect(refusalOf(await confirmed())).toBe('store-not-eligible, 5 left');
    accounts.up = true;
    expect(await transactions.statusOf(store, order.transactionId)).toBe('pending-verification');
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);

    // The approval has not arrived as an event yet.
    transactions.createCornerStoreInAccounts({ caller, version: 3, store: ids });
    expect((await confirmed()).status).toBe(200);
    expect(await transactions.statusOf(store, order.transactionId)).toBe('on-hold');
  });

  it.each([
    ['rejected', `status = 'pre-approved', limit_cents = 0`],
    ['in default', 'overdue = true'],
  ])('refuses ten codes during the event that the store is %s', async (_, change) => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 9_000_000 } });
    const orders = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { body: order } = await transactions.order(store);
        return { order, code: await codeOf(transactions, order.transactionId) };
      }),
    );

    const answers = await transactions.answeredAfter(change, {
      store,
      statement: 'order_locked',
      request: () =>
        inFlight(
          orders.map(
            ({ order, code }) =>
              () =>
                confirm(transactions, store, order, code),
          ),
        ),
    });

    expect(answers.map(refusalOf)).toEqual(answers.map(() => 'store-not-eligible, 5 left'));
    const states = await transactions.rows(
      `SELECT DISTINCT t.status, v.status AS code FROM transactions t
         JOIN verifications v ON v.transaction_id = t.id WHERE t.corner_store_id = $1`,
      [store.cornerStoreId],
    );
    expect(states).toEqual([{ status: 'pending-verification', code: 'pending' }]);
  });

  it('knows no verification of another transaction, and no transaction of another wholesaler', async () => {
    const store = await transactions.createCornerStore();
    const { body: one } = await transactions.order(store);
    const { body: two } = await transactions.order(store);
    const body = { errorCode: await codeOf(transactions, one.transactionId) };
    const mixed = `/v1/transaction/${one.transactionId}/verification/${two.verificationId}`;
    const own = `/v1/transaction/${one.transactionId}/verification/${one.verificationId}`;

    const answers = [
      await transactions.call(store.caller, 'PUT', mixed, { body }),
      await transactions.call(wholesaler(), 'PUT', own, { body }),
      await transactions.call(store.caller, 'PUT', '/v1/transaction/x/verification/y', { body }),
    ];

    expect(answers.map(({ status, body: b }) => [status, b.errorCode])).toEqual([
      [404, 'VERIFICATION_NOT_FOUND'],
      [404, 'TRANSACTION_NOT_FOUND'],
      [404, 'TRANSACTION_NOT_FOUND'],
    ]);
    for (const { body: b } of answers)
      expect(Object.keys(b)).toEqual(['errorCode', 'errorMessage']);
  });
});
