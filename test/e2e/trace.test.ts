import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { sharedSystem } from './support/shared-system';
import { createProvider, createStore, createWholesaler, type Provider } from './support/story';
import { waitFor } from './support/api';

interface LogLine {
  service: string;
  msg: string;
  requestId?: string;
  jobId?: string;
  jobType?: string;
  messageId?: string;
  route?: string;
}

const system = sharedSystem();
let owner: Client;
beforeAll(async () => {
  owner = new Client({ connectionString: system.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
});

/** The lines of all processes that carry an id, in the order that they were written. */
function linesOf(requestId: string): LogLine[] {
  return system
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(requestId))
    .map((line) => JSON.parse(line) as LogLine)
    .filter((line) => line.requestId === requestId);
}

/** Who said what under an id, such as `notifier: job done send-message`. */
function told(requestId: string): string[] {
  return linesOf(requestId).map(({ service, msg, route, jobType }) =>
    [`${service}:`, msg, route ?? jobType].filter((part) => part !== undefined).join(' '),
  );
}

async function untilTold(requestId: string, what: string[]): Promise<void> {
  await waitFor(async () => {
    const lines = told(requestId);
    return what.every((one) => lines.includes(one)) || undefined;
  }).catch(() => expect(told(requestId)).toEqual(expect.arrayContaining(what)));
}

const newId = () => `trace-${randomUUID()}`;

it('one id leads from the gateway’s line over the outbox row and the job to the SMS', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const requestId = newId();

  const answer = await system.call(wholesaler.key, 'POST', '/transaction', {
    body: orderOf(store.cornerStoreId),
    headers: { 'x-request-id': requestId },
  });

  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([201, requestId]);
  await untilTold(requestId, [
    'gateway: request /v1/transaction/**',
    'transactions: request /v1/transaction',
    'notifier: a message was attempted',
    'notifier: job done send-message',
  ]);
  const outbox = await owner.query<{ id: string; type: string }>(
    'SELECT id, type FROM transactions.outbox WHERE request_id = $1',
    [requestId],
  );
  expect(outbox.rows).toEqual([{ id: expect.any(String), type: 'send-message' }]);
  const [job] = outbox.rows;
  const messages = await owner.query(
    `SELECT message.id, attempt.outcome
       FROM notifier.messages message JOIN notifier.message_attempts attempt ON message_id = id
      WHERE request_id = $1`,
    [requestId],
  );
  expect(messages.rows).toEqual([{ id: job?.id, outcome: 'sent' }]);
  const lines = linesOf(requestId).filter(({ service }) => service === 'notifier');
  expect(lines.flatMap(({ jobId }) => jobId ?? [])).toEqual([job?.id]);
  expect(lines.find(({ msg }) => msg === 'a message was attempted')?.messageId).toBe(job?.id);
});

it('calls between services and jobs of jobs carry the id of the first request', async () => {
  const wholesaler = await createWholesaler(system, { confirmationRequired: false });
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);
  const asked = newId();
  const delivered = newId();
  const paid = newId();

  // Not a line that transactions knows: it asks accounts before it refuses.
  await system.call(wholesaler.key, 'POST', '/transaction', {
    body: orderOf(randomUUID()),
    headers: { 'x-request-id': asked },
  });
  const { body } = await system.call(wholesaler.key, 'POST', '/transaction', {
    body: orderOf(store.cornerStoreId),
  });
  const path = `/transaction/${body.transactionId}`;
  await system.call(wholesaler.key, 'PUT', path, {
    body: { status: 'delivery', transactionAmount: 100 },
    headers: { 'x-request-id': delivered },
  });
  await untilTold(delivered, ['payments: job done transaction.delivered']);
  const reference = await system.call(wholesaler.key, 'GET', `${path}/payment`);
  await deposit(provider, reference.body, paid);

  await untilTold(asked, [
    'transactions: request /v1/transaction',
    'accounts: request /internal/snapshots',
  ]);
  await untilTold(paid, [
    'gateway: request /v1/customer-transaction/**',
    'payments: request /v1/customer-transaction/payment/deposit',
    'payments: job done apply-deposit',
    'transactions: job done payment.applied',
  ]);
});

it('a request without an id, or with one that is not well-formed, gets a new one', async () => {
  for (const headers of [{}, { 'x-request-id': 'two words' }]) {
    const answer = await system.call(system.opsKey, 'GET', '/admin/jobs', { headers });
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    await untilTold(requestId, ['gateway: request /v1/admin/jobs/**']);
    await untilTold(requestId, ['notifier: request /v1/admin/jobs']);
  }
});

function orderOf(cornerStoreId: string): object {
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
  return { cornerStoreId, totalAmount: 100, products };
}

async function deposit(
  { name, key }: Provider,
  { idFactura, numeroReferencia, amountDue }: Record<string, unknown>,
  requestId: string,
): Promise<void> {
  const path = `/customer-transaction/payment/deposit?paymentProviderName=${encodeURIComponent(name)}`;
  const answer = await system.call(key, 'POST', path, {
    body: {
      idFactura,
      numeroReferencia,
      valor: amountDue,
      fechaPago: '2026-11-20 10:00:00.000',
      claveDePago: randomUUID(),
    },
    headers: { 'x-request-id': requestId },
  });
  expect(answer.status).toBe(200);
}
