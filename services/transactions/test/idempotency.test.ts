import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { until } from '@fiado/chassis/testing/until';
import { TcpProxy } from '../../../test/support/tcp-proxy';
import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('Idempotency-Key on POST /transaction', () => {
  it('20 parallel requests have one effect and the same answer, byte for byte', async () => {
    const store = await transactions.createCornerStore();
    const headers = { 'idempotency-key': randomUUID() };

    const answers = await inFlight(
      Array.from({ length: 20 }, () => () => transactions.order(store, {}, headers)),
    );

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('replays the first answer even when the line is used up by then', async () => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 100_000 } });
    const headers = { 'idempotency-key': 'k1' };
    const first = await transactions.order(store, {}, headers);

    const second = await transactions.order(store, {}, headers);

    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('refuses another body under a used key', async () => {
    const store = await transactions.createCornerStore();
    const headers = { 'idempotency-key': 'k2' };
    await transactions.order(store, {}, headers);

    const other = await transactions.order(store, { totalAmount: 2000 }, headers);

    expect([other.status, other.body.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('a repeated request that adds fields with null is the same one, but metadata counts as it is', async () => {
    const store = await transactions.createCornerStore();
    const headers = { 'idempotency-key': 'nulls' };
    const first = await transactions.order(store, { metadata: { a: 1 } }, headers);

    const nulls = { deliveryDate: null, wholesalerTransactionId: null };
    const again = await transactions.order(store, { metadata: { a: 1 }, ...nulls }, headers);
    const other = await transactions.order(store, { metadata: { a: 1, b: null } }, headers);

    expect([again.status, again.text]).toEqual([201, first.text]);
    expect([other.status, other.body.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('20 spellings of path and body at once are one order', async () => {
    const store = await transactions.createCornerStore();
    const headers = { 'idempotency-key': randomUUID() };
    const order = { cornerStoreId: store.cornerStoreId, ...AN_ORDER };
    const answers = await inFlight(
      Array.from({ length: 20 }, (_, spelling) => () => {
        const path = `/v1/transaction${spelling % 3 === 0 ? '/' : ''}`;
        const zeros = '0'.repeat((spelling % 4) + 1);
        const body = JSON.stringify(order, null, spelling % 5).replace(/: ?1000\b/, `$&.${zeros}`);
        return transactions.call(store.caller, 'POST', path, { body, headers });
      }),
    );

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('keeps the keys of two wholesalers apart', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const one = await transactions.order(await transactions.createCornerStore(), {}, headers);
    const two = await transactions.order(await transactions.createCornerStore(), {}, headers);

    expect(one.body.transactionId).not.toBe(two.body.transactionId);
    expect([one.status, two.status]).toEqual([201, 201]);
  });
});

it('a repetition finds the order whose COMMIT had no answer', async () => {
  const metadata = { mark: randomUUID() };
  let isLost = false;
  // Postgres gets the order. Then these connections die, and for a while no other one works.
  const line = await TcpProxy.start(process.env.TEST_DATABASE_URL ?? '', () => (bytes) => {
    if (isLost || !bytes.includes(metadata.mark)) return;
    isLost = true;
    setImmediate(() => {
      line.silence();
      line.setMode('silent');
    });
  });
  const behindLine = await startTransactions(
    {},
    // A connection that is opened while none works is waited for to its limit.
    { through: (url) => line.urlOf(url), timing: { ...TEST_TIMING, connect: 5_000 } },
  );
  const store = await behindLine.createCornerStore();
  const order = () =>
    behindLine.order(store, { metadata }, { 'idempotency-key': 'without-an-answer' });

  const first = await order();
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);

  line.setMode('pass');
  let second = first;
  await until('the repetition is answered', async () => {
    second = await order();
    return second.status !== 503;
  });
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(await behindLine.usedCents(store.cornerStoreId)).toBe(100_000);
  await behindLine.stop();
  await line.stop();
});
