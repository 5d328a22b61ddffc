import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/shared/testing/callers';
import type { Answer } from '@fiado/shared/testing/service';
import { inFlight } from '@fiado/shared/testing/in-flight';
import { orderOnHold, startHouse, type House, type Shop } from './support/house';

const BODY = { status: 'delivery', transactionAmount: 1000 };

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

const deliver = (shop: Shop, id: string, deliveryWord?: string): Promise<Answer> =>
  house.call(shop.caller, 'PUT', `/v1/transaction/${id}`, {
    body: deliveryWord === undefined ? BODY : { ...BODY, deliveryWord },
  });

const reset = (id: string, caller = ops()): Promise<Answer> =>
  house.call(caller, 'POST', `/v1/admin/transactions/${id}/reset-delivery-word`);

const outcomeOf = ({ status, body }: Answer): string => `${status} ${body.errorCode ?? ''}`.trim();

/** The word in the newest message of an order. */
async function wordOf(transactionId: string): Promise<string> {
  const { values } = await house.lastSms(transactionId);
  return 'word' in values ? values.word : '';
}

async function wordMessages(transactionId: string): Promise<number> {
  const rows = await house.rows(
    `SELECT 1 FROM outbox WHERE aggregate_id = $1 AND data->>'template' = 'delivery-word'`,
    [transactionId],
  );
  return rows.length;
}

/** Sends wrong words side by side, and counts the outcomes. */
async function tryWrongWords(shop: Shop, id: string, tries: number) {
  const answers = await inFlight(
    Array.from({ length: tries }, () => () => deliver(shop, id, 'equivocada')),
  );
  const counts: Record<string, number> = {};
  for (const outcome of answers.map(outcomeOf)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe('a required delivery word', () => {
  it('is not required for an order that was confirmed while words were off', async () => {
    const silent = await house.openShop({ settings: { deliveryWordEnabled: false } });
    const { transactionId } = await orderOnHold(house, silent);
    const strict = { deliveryWordEnabled: true, deliveryWordRequired: true };
    await house.openShop({ caller: silent.caller, settings: strict, version: 2 });

    expect(outcomeOf(await deliver(silent, transactionId))).toBe('200');
  });

  it('is not required while words are off, even if the settings contradict each other', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    const contradictory = { deliveryWordEnabled: false, deliveryWordRequired: true };
    await house.openShop({ caller: shop.caller, settings: contradictory, version: 2 });

    expect(outcomeOf(await deliver(shop, transactionId))).toBe('200');
  });

  it('is refused when it is missing, which does not count as an attempt', async () => {
    const shop = await house.openShop({ settings: { deliveryWordRequired: true } });
    const { transactionId } = await orderOnHold(house, shop);

    for (let i = 0; i < 6; i += 1) {
      const answer = await deliver(shop, transactionId);
      expect(outcomeOf(answer)).toBe('422 DELIVERY_WORD_NOT_VALID');
    }

    expect(await wordMessages(transactionId)).toBe(1);
  });

  it('is accepted in any case, with accents, spaces and hyphens', async () => {
    const shop = await house.openShop({ settings: { deliveryWordRequired: true } });
    const { transactionId } = await orderOnHold(house, shop);
    const spaced = (await wordOf(transactionId)).replace(/(?<=[a-z])(?=[A-Z])/, ' - ');

    const answer = await deliver(shop, transactionId, `  ${spaced.toUpperCase()} `);

    expect(outcomeOf(answer)).toBe('200');
  });
});

describe('wrong delivery words', () => {
  it('five make a new word, which is sent even when all resends are used up', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    const first = await wordOf(transactionId);
    const resend = () =>
      house.call(shop.caller, 'POST', `/v1/transaction/${transactionId}/delivery-word`);
    for (let i = 0; i < 4; i += 1) expect(outcomeOf(await resend())).toBe('200');
    expect(outcomeOf(await resend())).toBe('429 TOO_MANY_ATTEMPTS');

    await tryWrongWords(shop, transactionId, 5);

    const second = await wordOf(transactionId);
    expect(second).not.toBe(first);
    expect(outcomeOf(await deliver(shop, transactionId, first))).toBe(
      '422 DELIVERY_WORD_NOT_VALID',
    );
    expect(outcomeOf(await deliver(shop, transactionId, second))).toBe('200');
  });

  it('twenty of one order, tried in parallel, lock it until ops resets them', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    expect(await tryWrongWords(shop, transactionId, 30)).toEqual({
      '422 DELIVERY_WORD_NOT_VALID': 20,
      '429 TOO_MANY_ATTEMPTS': 10,
    });
    expect(await wordMessages(transactionId)).toBe(5);
    const word = await wordOf(transactionId);
    expect(outcomeOf(await deliver(shop, transactionId, word))).toBe('429 TOO_MANY_ATTEMPTS');

    const answer = await reset(transactionId, ops('operator', 'key-of-ana'));

    const audited = await house.outbox('audit.recorded');
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
    expect(await wordOf(transactionId)).toBe(word);
    expect(await tryWrongWords(shop, transactionId, 4)).toEqual({
      '422 DELIVERY_WORD_NOT_VALID': 4,
    });
    expect(outcomeOf(await deliver(shop, transactionId, word))).toBe('200');
  });
});

describe('POST /admin/transactions/{id}/reset-delivery-word', () => {
  it('is for ops only, and for an order on hold that has a word', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    const { body: pending } = await house.order(shop);
    const silent = await house.openShop({ settings: { deliveryWordEnabled: false } });
    const wordless = await orderOnHold(house, silent);

    const answers = [
      await reset(transactionId, shop.caller),
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
