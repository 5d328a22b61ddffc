import { randomUUID } from 'node:crypto';
import { Transaction } from '@fiado/chassis/db/database';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { claimDeliveries } from '../src/webhooks/claim-deliveries.sql';
import { announce } from './support/events';
import { codeJob, deliver, untilStatus, type Notifier } from './support/notifier';
import { accept, answerWith, Receiver } from './support/receiver';
import {
  createEndpoint,
  deliveriesTo,
  hurryDeliveries,
  settleAll,
  untilDeliveries,
  useWebhooks,
} from './support/webhooks';

let notifier: Notifier;
let receiver: Receiver;
useWebhooks((started) => ({ notifier, receiver } = started));
afterEach(() => jest.restoreAllMocks());

/** The places that the sender counts are those that the rows show. */
async function placesAreRight(): Promise<boolean> {
  const wrong = await notifier.rows(
    `SELECT e.id FROM webhook_endpoints e WHERE in_flight <>
       (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = e.id AND status = 'sending')`,
  );
  return wrong.length === 0;
}

test('while all other endpoints hang, every event of a good one arrives', async () => {
  const hanging = await Receiver.start();
  hanging.answer = () => undefined;
  const others = Array.from({ length: 20 }, () => wholesaler());
  for (const other of others) await createEndpoint(notifier, other, { url: hanging.url });
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  for (const other of others) await announce(notifier, other);
  await until('the places of new endpoints are taken', () => hanging.received.length >= 16);

  const events = [];
  for (let i = 0; i < 10; i += 1) events.push(await announce(notifier, caller));
  await untilDeliveries(notifier, webhookEndpointId, 10, 'delivered');
  expect(receiver.ids.sort()).toEqual(events.map(({ id }) => id).sort());
  // None of the others was given up: all that were tried still hang.
  const answered = await notifier.rows(
    `SELECT 1 FROM webhook_attempts JOIN webhook_deliveries d ON d.id = delivery_id
      WHERE endpoint_id <> $1`,
    [webhookEndpointId],
  );
  expect(answered).toEqual([]);
  await hanging.stop();
  await until('the places are given back', placesAreRight);
});

test('SMS go out while 64 endpoints hang', async () => {
  const hanging = await Receiver.start();
  hanging.answer = () => undefined;
  const { webhookSender } = notifier.context;
  const { client } = webhookSender;
  // Without a time-out, so that they hang for as long as this test takes.
  const replaced = jest.replaceProperty(webhookSender, 'client', {
    ...client,
    post: ({ url, body }) =>
      fetch(url, { method: 'POST', body }).then(
        ({ status }) => ({ status, headers: {}, head: '' }),
        () => ({ error: 'CONNECTION_RESET' }),
      ),
  });
  // An owner takes four places of slow endpoints at most.
  const owners = Array.from({ length: 16 }, () => wholesaler());
  await Promise.all(
    owners.map(async (owner) => {
      for (let i = 0; i < 4; i += 1) await createEndpoint(notifier, owner, { url: hanging.url });
      await announce(notifier, owner);
    }),
  );
  await until('three times the places of new endpoints hang', () => {
    return hanging.received.length >= 48;
  });

  const sent = Array.from({ length: 20 }, (_, i) => codeJob({ phone: `+5255123450${i + 10}` }));
  const ids = await Promise.all(sent.map((job) => deliver(notifier, job)));
  for (const id of ids) await untilStatus(notifier, id, 'sent');
  const ended = await notifier.rows(
    `SELECT FROM webhook_attempts JOIN webhook_deliveries d ON d.id = delivery_id
       JOIN webhook_endpoints e ON e.id = endpoint_id WHERE owner_id = ANY ($1)`,
    [owners.map(({ id }) => id)],
  );
  expect(ended).toEqual([]);

  await notifier.rows(`UPDATE webhook_endpoints SET state = 'paused' WHERE owner_id = ANY ($1)`, [
    owners.map(({ id }) => id),
  ]);
  replaced.restore();
  await hanging.stop();
  await until('the places are given back', placesAreRight);
});

test('an owner takes four places of slow endpoints at most, and an endpoint one', async () => {
  const caller = wholesaler();
  const made = [];
  for (let i = 0; i < 6; i += 1) {
    made.push(await createEndpoint(notifier, caller, { url: receiver.url }));
  }
  const ids = made.map(({ webhookEndpointId }) => webhookEndpointId);
  const connection = await notifier.context.db.connection.connect();
  await connection.query('BEGIN');
  // The notifier's own sender skips what another process is claiming.
  await connection.query('UPDATE webhook_endpoints SET slow = true WHERE id = ANY ($1)', [ids]);
  for (let i = 0; i < 3; i += 1) await announce(notifier, caller);
  // The time of a database transaction is that of its begin.
  await notifier.rows(
    `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour'
      WHERE endpoint_id = ANY ($1)`,
    [ids],
  );
  const tx = new Transaction(connection, notifier.context.db);
  const claimed = await claimDeliveries(tx, { good: 48, new: 16, slow: 64 });
  const own = claimed.filter(({ endpointId }) => ids.includes(endpointId));
  expect(own).toHaveLength(4);
  expect(new Set(own.map(({ endpointId }) => endpointId)).size).toBe(4);
  await connection.query('ROLLBACK');
  connection.release();
  for (const id of ids) await untilDeliveries(notifier, id, 3, 'delivered');
});

test('what a dead process was sending is sent again with the same id, and its place is free', async () => {
  const caller = wholesaler();
  receiver.answer = () => undefined;
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  const { id } = await announce(notifier, caller);
  await until('it is being sent', () => receiver.received.length === 1);
  // The process that sends it forgets it: what it answers later counts no more.
  await notifier.rows(
    `UPDATE webhook_deliveries SET claimed_until = now() - interval '1 second'
      WHERE endpoint_id = $1`,
    [webhookEndpointId],
  );
  receiver.answer = accept;
  await settleAll(notifier);
  const [delivery] = await untilDeliveries(notifier, webhookEndpointId, 1, 'delivered');
  expect(delivery?.attempts).toBe(2);
  const same = expect.objectContaining({ 'webhook-id': id });
  expect(receiver.received.map(({ headers }) => headers)).toEqual([same, same]);
  const [endpoint] = await notifier.rows('SELECT in_flight FROM webhook_endpoints WHERE id = $1', [
    webhookEndpointId,
  ]);
  expect(endpoint).toEqual({ in_flight: 0 });
});

test('an ordered endpoint gets the events of each subject in order, whatever fails between', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, {
    url: receiver.url,
    ordered: true,
  });
  let failures = 3;
  receiver.answer = (res, received) => {
    failures -= 1;
    (failures >= 0 ? answerWith(500) : accept)(res, received);
  };
  const subjects = [randomUUID(), randomUUID()];
  for (const version of [1, 2, 3]) {
    for (const id of subjects) {
      await announce(notifier, caller, { subject: { id, version }, data: { id, version } });
    }
  }
  await until('all have arrived', async () => {
    await hurryDeliveries(notifier, webhookEndpointId);
    const rows = await deliveriesTo(notifier, webhookEndpointId);
    return rows.every(({ status }) => status === 'delivered');
  });
  for (const subject of subjects) {
    const versions = receiver.received
      .map(({ event }) => event.data as { id: string; version: number })
      .filter(({ id }) => id === subject)
      .map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    expect([...new Set(versions)]).toEqual([1, 2, 3]);
  }
});
