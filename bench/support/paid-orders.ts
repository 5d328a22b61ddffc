import { randomUUID } from 'node:crypto';
import { until } from '@fiado/chassis/testing/until';
import { orderBody, type Market } from './market';
import type { System } from './system';
import type { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

/** Stores that buy side by side. */
const AT_ONCE = 12;
/** An event or an SMS that takes longer never comes. */
const DEADLINE_MS = 300_000;

interface Parties {
  system: System;
  market: Market;
  twilio: TwilioStandIn;
  /**
   * How long the SMS about deliveries are waited for. Thousands of reminders may be before them.
   * Without it their absence is an error.
   */
  deliveryTextsMs?: number;
}

interface Provider {
  name: string;
  key: string;
}

/**
 * Takes orders through their whole life, by the API alone: created with three product lines, confirmed
 * by the code of its SMS, delivered with its word, and paid in full by one deposit once the SMS about
 * the delivery came. Each request that changes something has an Idempotency-Key, as the client sends it.
 * @param count orders, spread over the stores of the market
 * @returns orders whose SMS about the delivery came before their payment
 */
export async function buyAndPay(parties: Parties, count: number): Promise<number> {
  const { system, market, twilio, deliveryTextsMs } = parties;
  const texts = textsByPhone(twilio);
  const told = () =>
    twilio.posts.filter(({ form }) => form.Body?.startsWith('Pedido entregado')).length;
  const toldBefore = told();
  const delivered: string[] = [];
  const stores = market.stores.keys();
  await sideBySide(async () => {
    for (const store of stores) {
      for (let n = store; n < count; n += market.stores.length) {
        delivered.push(await buyOne(parties, texts, n));
      }
    }
  });
  // The SMS about a delivery is dropped when its debt is paid before.
  await until(
    'all are told of their deliveries',
    () => told() >= toldBefore + count,
    deliveryTextsMs ?? DEADLINE_MS,
  ).catch((error: unknown) => {
    if (deliveryTextsMs === undefined) throw error;
  });
  const toldInTime = told() - toldBefore;

  const name = `Pagos ${randomUUID()}`;
  const path = '/admin/payment-providers';
  const { apiKey } = await system.ops<{ apiKey: string }>('POST', path, { name });
  const debts = delivered.values();
  await sideBySide(async () => {
    for (const transactionId of debts) await payOne(parties, { name, key: apiKey }, transactionId);
  });
  return toldInTime;
}

async function sideBySide(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

type TextsOf = (phone: string) => string[];

/** @returns the id of the delivered transaction */
async function buyOne({ system, market }: Parties, texts: TextsOf, n: number): Promise<string> {
  const phone = market.stores[n % market.stores.length]?.phone ?? '';
  const seen = texts(phone).length;
  const sms = async (pattern: RegExp): Promise<string> => {
    const find = () =>
      texts(phone)
        .slice(seen)
        .map((text) => pattern.exec(text)?.[1])
        .find((found) => found !== undefined);
    await until(`the SMS ${pattern}`, () => find() !== undefined, DEADLINE_MS);
    return find() ?? '';
  };
  const write = <T>(method: string, path: string, body: object): Promise<T> =>
    system.callOnce<T>(market.apiKey, method, path, body);

  const order = orderBody(market, n) as { totalAmount: number };
  const { transactionId, verificationId } = await write<{
    transactionId: string;
    verificationId: string;
  }>('POST', '/transaction', order);
  const errorCode = await sms(/^(\d{6}) es tu clave/);
  const path = `/transaction/${transactionId}`;
  await write('PUT', `${path}/verification/${verificationId}`, { errorCode });
  const deliveryWord = await sms(/palabra de entrega es (\p{L}+)/u);
  await write('PUT', path, {
    status: 'delivery',
    transactionAmount: order.totalAmount,
    deliveryWord,
    latitude: 19.4326,
    longitude: -99.1332,
  });
  return transactionId;
}

async function payOne(
  { system, market }: Parties,
  provider: Provider,
  transactionId: string,
): Promise<void> {
  const bill = await system.call<{
    idFactura: string;
    numeroReferencia: string;
    amountDue: number;
  }>(market.apiKey, 'GET', `/transaction/${transactionId}/payment`);
  const name = encodeURIComponent(provider.name);
  await system.callOnce(
    provider.key,
    'POST',
    `/customer-transaction/payment/deposit?paymentProviderName=${name}`,
    {
      idFactura: bill.idFactura,
      numeroReferencia: bill.numeroReferencia,
      valor: bill.amountDue,
      fechaPago: `${new Date().toISOString().slice(0, 10)} 00:00:00.000`,
      claveDePago: randomUUID(),
    },
  );
}

/** The texts of a phone so far, without a look through those of all phones. */
function textsByPhone({ posts }: TwilioStandIn): TextsOf {
  const texts = new Map<string, string[]>();
  let read = 0;
  return (phone) => {
    for (; read < posts.length; read += 1) {
      const { To: to = '', Body: text = '' } = posts[read]?.form ?? {};
      texts.set(to, [...(texts.get(to) ?? []), text]);
    }
    return texts.get(phone) ?? [];
  };
}
