import { randomUUID } from 'node:crypto';
import type { Answer } from '@fiado/chassis/testing/call';
import { inOneBatch, statementsDuring } from '@fiado/chassis/testing/together';
import { newId } from '@fiado/contracts/new-id';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  createDepositLane,
  insertDeposits,
  type DepositToStore,
} from '../src/deposits/insert-deposits.sql';
import { type DepositJson, depositJson, oxxo, postDeposit } from './support/deposit';
import { startPayments } from './support/service';

/** In the text of the statement. */
const INSERT = 'INSERT INTO deposits';

const payments = forAllTests(startPayments);

const lane = () => payments.context.lanes.deposits;

const post = (body: object, key?: string) => () =>
  postDeposit(payments, body, oxxo, key === undefined ? {} : { 'idempotency-key': key });

const outcomeOf = ({ status, body }: Answer): string =>
  [status, body.errorCode].filter((part) => part !== undefined).join(' ');

const bodies = (count: number) => Array.from({ length: count }, () => depositJson());

/** How many deposits of these are stored, and by how many database transactions. */
async function storedOf(sent: DepositJson[]) {
  const [row] = await payments.rows<{ transactions: number; deposits: number }>(
    // Their xmin changes when they are applied; this is the time of the transaction that stored them.
    `SELECT count(DISTINCT received_at) AS transactions, count(*) AS deposits FROM deposits
      WHERE clave_de_pago = ANY($1)`,
    [sent.map(({ claveDePago }) => claveDePago)],
  );
  return row;
}

/** A deposit as recordDeposit hands it over. */
function toStore(claveDePago: string): DepositToStore {
  return {
    deposit: {
      ...depositJson({ claveDePago }),
      id: newId(),
      paymentProviderId: oxxo.id,
      providerName: oxxo.name,
      valorCents: 100,
      paidAt: new Date(),
      bodyHash: Buffer.from('other values'),
      body: '{}',
      isSigned: false,
      requestId: null,
      traceparent: null,
    },
    answer: undefined,
  };
}

it('32 deposits that wait together are stored by one statement, with their answers', async () => {
  const sent = bodies(32);
  const key = randomUUID();
  const requests = sent.map((body, n) => post(body, n % 2 === 0 ? `${key} ${n}` : undefined));
  const statements = await statementsDuring(payments.context.db, INSERT, async () => {
    const answers = await Promise.all(await inOneBatch(lane(), requests));
    expect(answers.map(outcomeOf)).toEqual(sent.map(() => '200'));
  });
  expect(statements).toBe(1);
  expect(await storedOf(sent)).toEqual({ transactions: 1, deposits: 32 });
  // None of them is stored again.
  const again = await Promise.all(requests.map((request) => request()));
  expect(again.map(outcomeOf)).toEqual(sent.map(() => '200'));
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
    sent.map((_, n) => (n % 2 === 0 ? 'true' : null)),
  );
  expect(await storedOf(sent)).toEqual({ transactions: 1, deposits: 32 });
});

it('each deposit of a batch has its own outcome', async () => {
  const [fresh, known, contradicted, replayed, reused, other] = bodies(6) as [
    DepositJson,
    DepositJson,
    DepositJson,
    DepositJson,
    DepositJson,
    DepositJson,
  ];
  const key = randomUUID();
  await post(known)();
  await post(contradicted)();
  await post(replayed, `${key} replayed`)();
  await post(reused, `${key} reused`)();
  const answers = await Promise.all(
    await inOneBatch(lane(), [
      post(fresh, `${key} fresh`),
      post(known, `${key} known`),
      post({ ...contradicted, valor: 7 }, `${key} contradicted`),
      post(replayed, `${key} replayed`),
      post(other, `${key} reused`),
    ]),
  );
  expect(answers.map(outcomeOf)).toEqual([
    '200',
    '200',
    '409 DEPOSIT_CONFLICT',
    '200',
    '422 IDEMPOTENCY_KEY_REUSED',
  ]);
  expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
    null,
    null,
    null,
    'true',
    null,
  ]);
  expect(await storedOf([other])).toMatchObject({ deposits: 0 });
  const replay = await post(known, `${key} known`)();
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
});

it('a deposit whose key another instance stores delays only itself', async () => {
  const [locked, ...free] = bodies(5);
  if (locked === undefined) throw new Error('no deposit');
  let delayed: Promise<Answer> | undefined;
  await payments.context.db.transaction(async (tx) => {
    await insertDeposits(tx, [toStore(locked.claveDePago)]);
    const [first, ...others] = await inOneBatch(
      lane(),
      [locked, ...free].map((body) => post(body)),
    );
    delayed = first;
    expect((await Promise.all(others)).map(outcomeOf)).toEqual(free.map(() => '200'));
    expect(await storedOf(free)).toEqual({ transactions: 1, deposits: 4 });
  });
  expect(outcomeOf((await delayed) as Answer)).toBe('409 DEPOSIT_CONFLICT');
});

it('a deposit that its statement fails for is refused alone', async () => {
  const sent = bodies(4);
  const add = lane().add.bind(lane());
  // A defect: a deposit without an amount, which the row refuses.
  const spy = jest.spyOn(lane(), 'add').mockImplementation((item) => {
    const isBroken = item.deposit.claveDePago === sent[1]?.claveDePago;
    return add(isBroken ? { ...item, deposit: { ...item.deposit, valorCents: 0 } } : item);
  });
  try {
    const answers = await inOneBatch(
      lane(),
      sent.map((body) => post(body)),
    );
    expect((await Promise.all(answers)).map(outcomeOf)).toEqual([
      '200',
      '500 INTERNAL_ERROR',
      '200',
      '200',
    ]);
  } finally {
    spy.mockRestore();
  }
});

it('deposits of one key are in different batches, and a used Idempotency-Key fails alone', async () => {
  const key = randomUUID();
  const answer = {
    id: Buffer.from(randomUUID()),
    requestHash: Buffer.from('request'),
    status: 200,
    body: '{}',
  };
  const first = { ...toStore(key), answer };
  const sameAnswer = { ...toStore(randomUUID()), answer };
  const others = [toStore(randomUUID()), toStore(randomUUID())];
  const statements = await statementsDuring(payments.context.db, INSERT, async () => {
    const all = [first, sameAnswer, toStore(key), ...others];
    const [stored, refused, repeated, ...rest] = await inOneBatch(
      lane(),
      all.map((item) => () => lane().add(item)),
    );
    await expect(refused).rejects.toMatchObject({ code: '23505' });
    expect(await stored).toMatchObject({ id: first.deposit.id });
    expect(await repeated).toMatchObject({ id: first.deposit.id });
    expect((await Promise.all(rest)).map(({ id }) => id)).toEqual(
      others.map(({ deposit }) => deposit.id),
    );
  });
  // Two batches, and the refused one alone.
  expect(statements).toBe(3);
  expect(
    await storedOf([depositJson({ claveDePago: sameAnswer.deposit.claveDePago })]),
  ).toMatchObject({ deposits: 0 });
});

it('one alone is one statement, with an Idempotency-Key too', async () => {
  const { db } = payments.context;
  expect(await statementsDuring(db, INSERT, post(depositJson()))).toBe(1);
  expect(await statementsDuring(db, INSERT, post(depositJson(), randomUUID()))).toBe(1);
});

it('two instances with the same deposits in opposite order store each once', async () => {
  const keys = Array.from({ length: 16 }, () => randomUUID());
  const here = createDepositLane(payments.context.db);
  const there = createDepositLane(payments.context.db);
  here.pause();
  there.pause();
  const results = [
    ...keys.map((key) => here.add(toStore(key))),
    ...keys.toReversed().map((key) => there.add(toStore(key))),
  ];
  here.resume();
  there.resume();
  const stored = await Promise.all(results);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(16);
  expect(await storedOf(keys.map((claveDePago) => depositJson({ claveDePago })))).toMatchObject({
    deposits: 16,
  });
});
