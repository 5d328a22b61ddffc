import { wholesaler } from '@fiado/chassis/testing/callers';
import { announce } from './support/events';
import type { Notifier } from './support/notifier';
import { accept, answerWith, type Receiver } from './support/receiver';
import {
  createEndpoint,
  deliveriesTo,
  ENDPOINTS_PATH,
  untilDeliveries,
  useWebhooks,
} from './support/webhooks';

let notifier: Notifier;
let receiver: Receiver;
useWebhooks((started) => ({ notifier, receiver } = started));

const DAY = { from: '2026-03-10T00:00:00Z', to: '2026-03-11T00:00:00Z' };
const occurredAt = new Date('2026-03-10T12:00:00Z');

test('a replay sends exactly what is missing, oldest first, under the same ids', async () => {
  const caller = wholesaler();
  const before = await announce(notifier, caller, { occurredAt });
  const { webhookEndpointId } = await createEndpoint(notifier, caller, {
    url: receiver.url,
    events: ['transaction.*'],
  });
  const path = `${ENDPOINTS_PATH}/${webhookEndpointId}/replay`;
  const replay = (body: object) =>
    notifier.call(caller, 'POST', path, { body: { ...DAY, ...body } });
  await announce(notifier, caller, { occurredAt });
  await untilDeliveries(notifier, webhookEndpointId, 1, 'delivered');
  receiver.answer = answerWith(400, { 'webhook-delivery': 'abort-message' });
  const failed = await announce(notifier, caller, { occurredAt });
  await untilDeliveries(notifier, webhookEndpointId, 2, 'delivered', 'aborted');
  receiver.answer = accept;
  await announce(notifier, caller, { occurredAt, type: 'payment.applied' });
  await announce(notifier, caller, { occurredAt: new Date('2026-03-11T12:00:00Z') });
  await untilDeliveries(notifier, webhookEndpointId, 3, 'delivered', 'aborted');

  receiver.received.length = 0;
  const started = await replay({});
  expect([started.status, started.body]).toEqual([
    202,
    { replayId: expect.stringMatching(/^[0-9a-f-]{36}$/), count: 2 },
  ]);
  await untilDeliveries(notifier, webhookEndpointId, 5, 'delivered', 'aborted');
  expect(receiver.ids).toEqual([before.id, failed.id]);
  expect((await replay({})).body.count).toBe(0);
  expect((await replay({ only: 'all', types: ['transaction.paid'] })).body.count).toBe(0);
  expect((await replay({ only: 'failed' })).body.count).toBe(0);
  // The endpoint has no free place, so the replay cannot end.
  const take = (places: number) =>
    notifier.rows('UPDATE webhook_endpoints SET in_flight = in_flight + $2 WHERE id = $1', [
      webhookEndpointId,
      places,
    ]);
  await take(4);
  expect((await replay({ only: 'all' })).body.count).toBe(3);
  expect((await replay({ only: 'all' })).body.errorCode).toBe('WEBHOOK_REPLAY_RUNNING');
  await take(-4);
  expect((await replay({ from: 'yesterday' })).status).toBe(400);
});

test('a pause holds events, and its end sends them', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  const path = `${ENDPOINTS_PATH}/${webhookEndpointId}`;
  await notifier.call(caller, 'PUT', path, { body: { state: 'paused' } });
  const { id } = await announce(notifier, caller);
  expect((await deliveriesTo(notifier, webhookEndpointId)).map(({ status }) => status)).toEqual([
    'held',
  ]);
  await notifier.call(caller, 'PUT', path, { body: { state: 'enabled' } });
  await untilDeliveries(notifier, webhookEndpointId, 1, 'delivered');
  expect(receiver.ids).toEqual([id]);
});

test('a delivered event is sent again on request, under the same id', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  const { id } = await announce(notifier, caller);
  const [first] = await untilDeliveries(notifier, webhookEndpointId, 1, 'delivered');
  const path = `${ENDPOINTS_PATH}/${webhookEndpointId}/deliveries/${first?.id}/resend`;
  const { status, body } = await notifier.call(caller, 'POST', path);
  expect(status).toBe(202);
  expect(body.deliveryId).not.toBe(first?.id);
  await untilDeliveries(notifier, webhookEndpointId, 2, 'delivered');
  expect(receiver.ids).toEqual([id, id]);
});

test('a deleted endpoint gets nothing more', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  await notifier.call(caller, 'DELETE', `${ENDPOINTS_PATH}/${webhookEndpointId}`);
  await announce(notifier, caller);
  expect(await deliveriesTo(notifier, webhookEndpointId)).toEqual([]);
});
