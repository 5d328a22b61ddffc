import { createHmac, randomUUID } from 'node:crypto';
import { callback } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { INVOICE } from './support/facturapi';
import { orderOnHold } from './support/orders';
import { type Invoiced, startInvoicing } from './support/stamped-invoices';
import type { CornerStore } from './support/transactions';

const SECRET = 'whsec_north';
const invoicing = forAllTests(startInvoicing);
beforeEach(() => invoicing.facturapi.reset());

/** A webhook as Facturapi sends it (its SDK, tools/webhooks.ts): HMAC-SHA-256 of the body, in hexadecimal digits. */
function send(
  issuerId: string,
  body: string,
  { secret = SECRET, headers = {} }: { secret?: string; headers?: Record<string, string> } = {},
) {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return invoicing.transactions.call(
    callback('facturapi'),
    'POST',
    `/v1/callbacks/facturapi/${issuerId}`,
    {
      body,
      headers: {
        'content-type': 'application/json',
        'facturapi-signature': signature,
        ...headers,
      },
    },
  );
}

const eventOf = (id: string, status = 'valid') =>
  JSON.stringify({
    type: 'invoice.status_updated',
    data: { type: 'invoice', object: { id, status, uuid: 'not believed' } },
  });

/** An order whose invoice Facturapi has stamped, while we know it as one that it works on. */
async function pending(webhookSecret = SECRET): Promise<Invoiced & { documentId: string }> {
  const store = await invoicing.createStore({ webhookSecret });
  invoicing.giveProfile(store);
  const documentId = `inv_${invoicing.facturapi.invoices.stamped.size + 1}`;
  const body = { id: documentId, status: 'pending' };
  invoicing.facturapi.answers.push({ status: 202, afterwards: true, body });
  const { transactionId: id } = await orderOnHold(invoicing.transactions, store);
  const order = { store, id, documentId };
  await invoicing.call(order, 'POST', '/invoice', { invoice: INVOICE });
  const isKnown = async () => (await invoicing.read(order)).providerInvoiceId !== null;
  await until('Facturapi works on it', isKnown);
  return order;
}

const lookUps = () =>
  invoicing.facturapi.calls.filter(({ route }) => /^GET .*\/inv_\d+$/.test(route)).length;
const idOf = ({ caller }: CornerStore) => caller.id;

it('makes the document that it names due now, and believes nothing else of it', async () => {
  const order = await pending();
  expect((await invoicing.read(order)).status).toBe('pending');
  const answer = await send(idOf(order.store), eventOf(order.documentId, 'canceled'));
  expect([answer.status, answer.text]).toEqual([204, '']);
  await until('it is issued', async () => (await invoicing.read(order)).status === 'issued');
  const [stamped] = invoicing.facturapi.invoices.stamped.values();
  expect((await invoicing.read(order)).uuid).toBe(stamped?.uuid);
});

it('makes a credit note and a payment complement due, too', async () => {
  const store = await invoicing.createStore({ webhookSecret: SECRET });
  const id = randomUUID();
  await invoicing.transactions.rows(
    `INSERT INTO tax_documents (id, document_id, kind, wholesaler_id, cents, netted_cents, provider,
                                provider_document_id, next_attempt_at)
     VALUES ($1, $1, 'credit-note', $2, 100, 0, 'facturapi', 'inv_9', now() + interval '1 day')`,
    [id, idOf(store)],
  );
  const waits = async (): Promise<boolean | undefined> => {
    const [row] = await invoicing.transactions.rows<{ waits: boolean }>(
      `SELECT next_attempt_at > now() + interval '12 hours' AS waits FROM tax_documents WHERE id = $1`,
      [id],
    );
    return row?.waits;
  };
  await send(idOf(store), eventOf('inv_8'));
  expect(await waits()).toBe(true);
  await send(idOf(store), eventOf('inv_9'));
  expect(await waits()).toBe(false);
});

it('is refused unless the issuer’s secret signed it, and changes nothing', async () => {
  const order = await pending();
  const { documentId, store } = order;
  const without = await invoicing.createStore();
  const event = eventOf(documentId);
  const signature = createHmac('sha256', SECRET).update(event).digest('hex');
  const answers = [
    await send(idOf(store), event, { secret: 'whsec_south' }),
    await send(idOf(store), event, { headers: { 'facturapi-signature': '' } }),
    await send(idOf(store), event, { headers: { 'facturapi-signature': signature.slice(2) } }),
    await send(idOf(store), `${event} `, { headers: { 'facturapi-signature': signature } }),
    await send(idOf(without), event),
    await send(randomUUID(), event),
    await send('no-uuid', event),
  ];
  for (const { status, body } of answers) {
    expect([status, body.errorCode]).toEqual([403, 'FORBIDDEN']);
  }
  expect([(await invoicing.read(order)).status, lookUps()]).toEqual(['pending', 0]);
});

it('about a document of another issuer, or of none, changes nothing', async () => {
  const order = await pending();
  const other = await invoicing.createStore({ webhookSecret: 'whsec_south' });
  const { documentId, store } = order;
  const answers = [
    await send(idOf(other), eventOf(documentId), { secret: 'whsec_south' }),
    ...(await Promise.all(
      [eventOf('inv_404'), eventOf('\0'), '{}', 'null', '[]', '{"data":{"object":1}}'].map((body) =>
        send(idOf(store), body),
      ),
    )),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
  expect((await send(idOf(store), '{')).body.errorCode).toBe('INVALID_JSON');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await send(idOf(store), 'a=b', { headers: form })).status).toBe(415);
  expect([(await invoicing.read(order)).status, lookUps()]).toEqual(['pending', 0]);
});
