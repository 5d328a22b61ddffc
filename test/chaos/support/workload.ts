import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { integer, oneOf, randomOf, type Random } from '../../e2e/support/random';
import type { Store } from '../../e2e/support/story';
import { History, type Operation, type Request } from './history';
import type { Deployment } from './deployment';
import type { Market } from './market';

/** Clients at once, each with a corner store of its own for the orders that need a code. */
export const CLIENTS = 6;
/** How long an operation is tried again after the last fault: a killed service's longest pause. */
const GRACE_MS = 25_000;
/** How long a client looks for a code before it asks for it again. */
const CODE_WAIT_MS = 6_000;
const POLL_MS = 100;

interface Client {
  deployment: Deployment;
  market: Market;
  history: History;
  random: Random;
  number: number;
  store: Store;
  stopAt: number;
  giveUpAt: number;
}

/** Lets the clients buy, confirm, deliver and pay until the time is over; all are answered then. */
export async function work(
  { deployment, market, history }: { deployment: Deployment; market: Market; history: History },
  { seed, seconds }: { seed: number; seconds: number },
): Promise<void> {
  const stopAt = Date.now() + seconds * 1_000;
  await Promise.all(
    market.stores.map(async (store, number) => {
      // Each client has its own row of numbers, so that it does not matter who is faster.
      const random = randomOf(seed * CLIENTS + number);
      const giveUpAt = stopAt + GRACE_MS;
      const client = { deployment, market, history, random, number, store, stopAt, giveUpAt };
      while (Date.now() < stopAt) {
        await (random() < 0.65 ? buyOne(client) : buyBatch(client));
      }
    }),
  );
}

/** One order with a code, and its consequences. */
async function buyOne(client: Client): Promise<void> {
  const { store, random, market } = client;
  const totalAmount = integer(random, 10_000, 250_000) / 100;
  const body = { ...orderBody(totalAmount), cornerStoreId: store.cornerStoreId };
  const placed = await perform(client, { kind: 'order', path: '/transaction', body });
  if (placed.outcome !== 'ok') return;
  const { transactionId, verificationId } = JSON.parse(placed.text ?? '');
  const path = `/transaction/${transactionId}/verification/${verificationId}`;

  let code = await findCode(client, totalAmount, placed.invokedAt);
  if (code === undefined && Date.now() < client.stopAt) {
    await perform(client, { kind: 'resend', path });
    code = await findCode(client, totalAmount, placed.invokedAt);
  }
  if (code === undefined) return; // the store never got it, and the order stays unconfirmed
  const errorCode = code;
  const confirmed = await perform(client, { kind: 'confirm', path, body: { errorCode } });
  if (confirmed.outcome === 'ok' && random() < 0.85)
    await deliver(client, transactionId, totalAmount);
  if (random() < 0.3)
    await client.history.read(market.wholesaler.key, `/transaction/${transactionId}`);
}

/** Orders for several stores at once: they need no code and compete for the lines of others. */
async function buyBatch(client: Client): Promise<void> {
  const { random, market } = client;
  const transactions = Array.from({ length: integer(random, 1, 4) }, () => ({
    ...orderBody(integer(random, 10_000, 150_000) / 100),
    cornerStoreId: oneOf(random, market.stores).cornerStoreId,
    metadata: {},
  }));
  const body = { driverId: `driver-${client.number}`, transactions };
  const placed = await perform(client, { kind: 'batch', path: '/transaction/batch', body });
  if (placed.outcome !== 'ok') return;
  for (const item of JSON.parse(placed.text ?? '')) {
    if (item.status !== 'accepted' || random() < 0.3) continue;
    await deliver(client, item.transactionId, item.totalAmount);
  }
}

/** Delivers at most what was ordered, and mostly pays for it. */
async function deliver(client: Client, transactionId: string, ordered: number): Promise<void> {
  const { random } = client;
  const orderedCents = Math.round(ordered * 100);
  const cents = random() < 0.5 ? orderedCents : integer(random, orderedCents - 5_000, orderedCents);
  const delivered = await perform(client, {
    kind: 'deliver',
    path: `/transaction/${transactionId}`,
    body: { status: 'delivery', transactionAmount: cents / 100 },
  });
  if (delivered.outcome === 'ok' && random() < 0.85) await pay(client, transactionId);
}

/** A deposit for all or half of what is due, posted one to three times, sometimes at once. */
async function pay(client: Client, transactionId: string): Promise<void> {
  const { market, random, history } = client;
  const path = `/transaction/${transactionId}/payment`;
  let answer = await history.read(market.wholesaler.key, path);
  while (answer?.status !== 200 && Date.now() < client.giveUpAt) {
    await sleep(POLL_MS);
    answer = await history.read(market.wholesaler.key, path);
  }
  if (answer?.status !== 200) return;
  const { idFactura, numeroReferencia, amountDue } = JSON.parse(answer.text);
  if (amountDue <= 0) return; // an earlier deposit's surplus has paid it
  const cents = Math.max(1, Math.round(amountDue * (random() < 0.6 ? 100 : 50)));
  const body = {
    idFactura: random() < 0.7 ? idFactura : 'sin factura',
    numeroReferencia,
    valor: cents / 100,
    // Of the same moment it might be the same payment, which waits for ops.
    fechaPago: new Date().toISOString().replace('T', ' ').replace('Z', ''),
    claveDePago: randomUUID(),
  };
  const { key: credential, name } = market.provider;
  const deposits = '/customer-transaction/payment/deposit';
  const post = () =>
    history.perform(
      {
        kind: 'deposit',
        client: client.number,
        credential,
        path: `${deposits}?paymentProviderName=${encodeURIComponent(name)}`,
        idempotencyKey: randomUUID(),
        body,
      },
      client.giveUpAt,
    );
  const times = integer(random, 1, 3);
  if (random() < 0.4) await Promise.all(Array.from({ length: times }, post));
  else for (let time = 0; time < times; time += 1) await post();
}

/** Performs one operation of the wholesaler; some answered ones are asked for again. */
async function perform(
  { history, market, number, giveUpAt, random }: Client,
  wanted: Pick<Request, 'kind' | 'path' | 'body'>,
): Promise<Operation> {
  const request: Request = {
    ...wanted,
    client: number,
    credential: market.wholesaler.key,
    idempotencyKey: randomUUID(),
  };
  const operation = await history.perform(request, giveUpAt);
  if (operation.outcome === 'ok' && random() < 0.2) {
    const again = await history.perform(request, giveUpAt);
    if (again.outcome !== 'unknown' && again.text !== operation.text) {
      history.violations.push(`a replayed ${wanted.kind} was answered otherwise: ${again.text}`);
    }
  }
  return operation;
}

/** The code of the order over this amount, once Twilio has sent it. */
async function findCode(
  { deployment, store, stopAt }: Client,
  totalAmount: number,
  since: number,
): Promise<string | undefined> {
  const amount = `$${new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 }).format(totalAmount)} `;
  const until = Math.min(Date.now() + CODE_WAIT_MS, stopAt);
  do {
    const sms = deployment.twilio.posts.find(
      ({ accepted, at, form }) =>
        accepted && form.To === store.phone && at >= since && form.Body?.includes(amount),
    );
    const code = /^\d{6}/.exec(sms?.form.Body ?? '')?.[0];
    if (code !== undefined) return code;
    await sleep(POLL_MS);
  } while (Date.now() < until);
  return undefined;
}

function orderBody(totalAmount: number) {
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];
  return { totalAmount, wholesalerTransactionId: randomUUID(), products };
}
