import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold, outcomeOf, wordOf } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const BODY = { status: 'delivery', transactionAmount: 1000 };

const transactions = forAllTests(startTransactions);

const deliver = (store: CornerStore, id: string, deliveryWord?: string): Promise<Answer> =>
  transactions.call(store.caller, 'PUT', `/v1/transaction/${id}`, {
    body: deliveryWord === undefined ? BODY : { ...BODY, deliveryWord },
  });

const reset = (id: string, caller = ops()): Promise<Answer> =>
  transactions.call(caller, 'POST', `/v1/admin/transactions/${id}/reset-delivery-word`);

async function wordMessages(transactionId: string): Promise<number> {
  const rows = await transactions.rows(
    `SELECT 1 FROM outbox WHERE aggregate_id = $1 AND data->>'template' = 'delivery-word'`,
    [transactionId],
  );
  return rows.length;
}

/** Sends wrong words side by side, and counts the outcomes. */
async function tryWrongWords(store: CornerStore, id: string, tries: number) {
  const answers = await inFlight(
    Array.from({ length: tries }, () => () => deliver(store, id, 'equivocada')),
  );
  const counts: Record<string, number> = {};
  for (const outcome of answers.map(outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('a required delivery word', () => {
  it('is not required for an order that was confirmed while words were off', async () => {
    const silent = await transactions.createCornerStore({
      settings: { deliveryWordEnabled: false },
    });
    const { transactionId } = await orderOnHold(transactions, silent);
    const strict = { deliveryWordEnabled: true, deliveryWordRequired: true };
    await transactions.createCornerStore({ caller: silent.caller, settings: strict, version: 2 });

    expect(outcomeOf(await deliver(silent, transactionId))).toBe('200');
  });

  it('is not required while words are off, even if the settings contradict each other', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const contradictory = { deliveryWordEnabled: false, deliveryWordRequired: true };
    await transactions.createCornerStore({
      caller: store.caller,
      settings: contradictory,
      version: 2,
    });

    expect(outcomeOf(await deliver(store, transactionId))).toBe('200');
  });

  it('is refused when it is missing', async () => {
    const store = await transactions.createCornerStore({
      settings: { deliveryWordRequired: true },
    });
    const { transactionId } = await orderOnHold(transactions, store);

    expect(outcomeOf(await deliver(store, transactionId))).toBe('422 DELIVERY_WORD_NOT_VALID');
  });
});

describe('wrong delivery words', () => {
  it('five make a new word, which is sent even when all resends are used up', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const first = await wordOf(transactions, transactionId);
    const resend = () =>
      transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/delivery-word`);
    for (let i = 0; i < 4; i += 1) expect(outcomeOf(await resend())).toBe('200');
    expect(outcomeOf(await resend())).toBe('429 TOO_MANY_ATTEMPTS');

    await tryWrongWords(store, transactionId, 5);

    const second = await wordOf(transactions, transactionId);
    expect(second).not.toBe(first);
    expect(outcomeOf(await deliver(store, transactionId, first))).toBe(
      '422 DELIVERY_WORD_NOT_VALID',
    );
    expect(outcomeOf(await deliver(store, transactionId, second))).toBe('200');
  });

  it('twenty of one order, tried in parallel, lock it until ops resets them', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);

    expect(await tryWrongWords(store, transactionId, 24)).toEqual({
      '422 DELIVERY_WORD_NOT_VALID': 20,
      '429 TOO_MANY_ATTEMPTS': 4,
    });
    expect(await wordMessages(transactionId)).toBe(5);
    const word = await wordOf(transactions, transactionId);
    expect(outcomeOf(await deliver(store, transactionId, word))).toBe('429 TOO_MANY_ATTEMPTS');

    const answer = await reset(transactionId, ops('operator', 'key-of-ana'));

    const audited = await transactions.outbox('audit.recorded');
    expect(audited.map(({ queue, data }) => [queue, data])).toEqual([
      [
        'accounts',
        {
          actorKind: 'ops',
          actorId: 'key-of-ana',
          action: 'delivery-word.reset',
          objectId: transactionId,
          details: {},
        },
      ],
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ transactionId, transactionStatus: 'on-hold' }),
    ]);
    expect(await wordMessages(transactionId)).toBe(6);
    expect(await wordOf(transactions, transactionId)).toBe(word);
    expect(await tryWrongWords(store, transactionId, 4)).toEqual({
      '422 DELIVERY_WORD_NOT_VALID': 4,
    });
    expect(outcomeOf(await deliver(store, transactionId, word))).toBe('200');
  });
});

describe('POST /admin/transactions/{id}/reset-delivery-word', () => {
  it('is for ops only, and for an order on hold that has a word', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const { body: pending } = await transactions.order(store);
    const silent = await transactions.createCornerStore({
      settings: { deliveryWordEnabled: false },
    });
    const wordless = await orderOnHold(transactions, silent);

    const answers = [
      await reset(transactionId, store.caller),
      await reset(randomUUID()),
      await reset('1'),
      await reset(pending.transactionId),
      await reset(wordless.transactionId),
    ];

    expect(answers.map(outcomeOf)).toEqual([
      '403 FORBIDDEN',
      '404 TRANSACTION_NOT_FOUND',
      '404 TRANSACTION_NOT_FOUND',
      '422 TRANSACTION_IS_NOT_IN_HOLD',
      '400 DELIVERY_WORD_NOT_FOUND',
    ]);
  });
});
