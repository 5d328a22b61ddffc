import { randomUUID } from 'node:crypto';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import type { FiadoEvent } from '@fiado/contracts/events';
import { announce } from './support/events';
import type { Notifier } from './support/notifier';
import { answerWith, type Receiver } from './support/receiver';
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

/** What the event that fails is about. */
const ABOUT = randomUUID();
const ENDED = new Set(['failed', 'delivered']);
const ENDPOINTS = '/v1/admin/webhook-endpoints';
const DELIVERIES = '/v1/admin/webhook-deliveries';
const get = (path: string, by = ops('viewer')) => notifier.call(by, 'GET', path);

/** An endpoint whose receiver answered 410, and the event that it failed with. */
async function disabledEndpoint() {
  const caller = wholesaler();
  const url = `${receiver.url}/a-secret-path?token=a-secret-token`;
  const { webhookEndpointId, secret } = await createEndpoint(notifier, caller, { url });
  receiver.answer = answerWith(410, {}, 'the answer is for its owner');
  const event = await announce(notifier, caller, { subject: { id: ABOUT, version: 1 } });
  await untilEnded(webhookEndpointId, event);
  return { caller, webhookEndpointId, secret, event };
}

/** Waits for one delivery: beside it, the event about a disabled endpoint may have one too. */
function untilEnded(webhookEndpointId: string, event: FiadoEvent): Promise<void> {
  return until('the delivery has ended', async () => {
    const rows = await deliveriesTo(notifier, webhookEndpointId);
    return rows.some((row) => row.event === event.id && ENDED.has(row.status));
  });
}

test('ops lists the endpoints of all owners, without what may be secret', async () => {
  const { caller, webhookEndpointId, secret } = await disabledEndpoint();
  const other = wholesaler();
  await createEndpoint(notifier, other, { url: receiver.url });

  const { body, text } = await get(`${ENDPOINTS}?limit=100`);
  const owners = body.webhookEndpoints.map(({ ownerId }: { ownerId: string }) => ownerId);
  expect(owners).toEqual(expect.arrayContaining([caller.id, other.id]));
  const one = await get(`${ENDPOINTS}?ownerId=${caller.id}&state=disabled`);
  expect(one.body.webhookEndpoints).toMatchObject([
    {
      webhookEndpointId,
      ownerId: caller.id,
      url: `http://127.0.0.1:${receiver.port}`,
      state: 'disabled',
      disabledReason: 'gone',
      failures: 1,
      failingSince: expect.stringMatching(/Z$/),
    },
  ]);
  for (const hidden of ['a-secret', secret.slice('whsec_'.length)]) {
    expect(text + one.text).not.toContain(hidden);
  }
});

test('ops lists what fails, of all owners, of one, or to one endpoint', async () => {
  const { caller, webhookEndpointId, event } = await disabledEndpoint();
  const other = wholesaler();
  receiver.answer = answerWith(500);
  const failing = await createEndpoint(notifier, other, { url: receiver.url });
  await announce(notifier, other);
  const good = wholesaler();
  const { webhookEndpointId: goodId } = await createEndpoint(notifier, good, {
    url: receiver.url,
  });
  receiver.answer = answerWith(204);
  await announce(notifier, good);
  await untilDeliveries(notifier, goodId, 1, 'delivered');

  const all = await get(`${DELIVERIES}?limit=100`);
  const endpoints = all.body.deliveries.map((one: { webhookEndpointId: string }) => {
    return one.webhookEndpointId;
  });
  expect(endpoints).toContain(failing.webhookEndpointId);
  expect(endpoints).not.toContain(goodId);
  for (const filter of [`ownerId=${caller.id}`, `webhookEndpointId=${webhookEndpointId}`]) {
    const { body, text } = await get(`${DELIVERIES}?${filter}`);
    expect(body.deliveries).toMatchObject([
      {
        eventId: event.id,
        webhookEndpointId,
        ownerId: caller.id,
        subjectId: ABOUT,
        status: 'failed',
        attempts: 1,
        lastStatusCode: 410,
        lastError: null,
      },
    ]);
    expect(text).not.toContain('the answer is for its owner');
    expect(text).not.toContain('a-secret');
  }
});

test('ops enables a disabled endpoint, which is audited; a paused one stays paused', async () => {
  const { caller, webhookEndpointId } = await disabledEndpoint();
  const enable = (id: string, by = ops('operator')) =>
    notifier.call(by, 'POST', `${ENDPOINTS}/${id}/enable`);
  receiver.answer = answerWith(204);
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await enable(webhookEndpointId);
    expect([status, body.state, body.failures]).toEqual([200, 'enabled', 0]);
  }
  const audited = (await notifier.outbox('audit.recorded')).filter(
    ({ data }) => (data as { objectId?: string }).objectId === webhookEndpointId,
  );
  expect(audited.map(({ data }) => data)).toMatchObject([
    {
      actorKind: 'ops',
      action: 'webhook-endpoint.enabled',
      details: { ownerId: caller.id, disabledReason: 'gone' },
    },
  ]);
  await untilEnded(webhookEndpointId, await announce(notifier, caller));

  const path = `${ENDPOINTS_PATH}/${webhookEndpointId}`;
  await notifier.call(caller, 'PUT', path, { body: { state: 'paused' } });
  expect((await enable(webhookEndpointId)).body.state).toBe('paused');
  for (const id of [caller.id, 'x']) {
    const { status, body } = await enable(id);
    expect([status, body.errorCode]).toEqual([404, 'WEBHOOK_ENDPOINT_NOT_FOUND']);
  }
});
