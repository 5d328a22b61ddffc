import { randomUUID } from 'node:crypto';
import { createLogger } from '@fiado/chassis/logger';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { startOtlpSink } from '@fiado/chassis/testing/otlp-sink';
import { until } from '@fiado/chassis/testing/until';
import { openTelemetry } from '@fiado/chassis/tracing/open-telemetry';
import { installTracer } from '@fiado/chassis/tracing/tracer';
import { announce } from './support/events';
import type { Notifier } from './support/notifier';
import { accept, answerWith, Receiver } from './support/receiver';
import {
  createEndpoint,
  deliveriesTo,
  endpointOf,
  ENDPOINTS_PATH,
  hurryDeliveries,
  settleAll,
  untilDeliveries,
  useWebhooks,
} from './support/webhooks';

let notifier: Notifier;
let receiver: Receiver;
useWebhooks((started) => ({ notifier, receiver } = started));

const post = (caller: ReturnType<typeof wholesaler>, path: string, body: object = {}) =>
  notifier.call(caller, 'POST', `${ENDPOINTS_PATH}/${path}`, { body });

describe('an answer', () => {
  test('is logged with its beginning, and a failed one is tried again with the same id', async () => {
    const caller = wholesaler();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
    receiver.answer = answerWith(500, {}, `\0${'x'.repeat(5_000)}`);
    const { id } = await announce(notifier, caller);
    await until('it has failed once', async () =>
      (await deliveriesTo(notifier, webhookEndpointId)).some(
        ({ status, attempts }) => status === 'pending' && attempts === 1,
      ),
    );
    const [waiting] = await deliveriesTo(notifier, webhookEndpointId);
    expect(waiting?.waits_seconds).toBeGreaterThan(4.4);
    expect(waiting?.waits_seconds).toBeLessThan(5.6);

    receiver.answer = accept;
    await hurryDeliveries(notifier, webhookEndpointId);
    await untilDeliveries(notifier, webhookEndpointId, 1, 'delivered');
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);

    const path = `${ENDPOINTS_PATH}/${webhookEndpointId}/deliveries`;
    const list = await notifier.call(caller, 'GET', `${path}?status=delivered&type=transaction.*`);
    expect(list.body).toEqual({
      deliveries: [
        {
          deliveryId: waiting?.id,
          eventId: id,
          type: 'transaction.created',
          status: 'delivered',
          attempts: 2,
          lastStatusCode: 204,
          nextAttemptAt: null,
        },
      ],
      nextCursor: null,
    });
    const one = await notifier.call(caller, 'GET', `${path}/${waiting?.id}`);
    expect(one.body.log).toMatchObject([
      { number: 1, statusCode: 500, error: null, responseHead: `\u{FFFD}${'x'.repeat(1_023)}` },
      { number: 2, statusCode: 204, error: null, responseHead: '' },
    ]);
    const unknown = await notifier.call(caller, 'GET', `${path}/${randomUUID()}`);
    expect(unknown.body.errorCode).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
  });

  test('that redirects is not followed', async () => {
    const caller = wholesaler();
    const other = await Receiver.start();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
    receiver.answer = answerWith(307, { location: other.url });
    await announce(notifier, caller);
    await until('it is answered', async () =>
      (await deliveriesTo(notifier, webhookEndpointId)).some(
        ({ attempts, status }) => attempts === 1 && status === 'pending',
      ),
    );
    expect(other.connections).toBe(0);
    await other.stop();
  });

  test.each([
    ['410', answerWith(410), 'gone'],
    ['webhook-delivery: disable', answerWith(200, { 'webhook-delivery': 'disable' }), 'asked'],
  ])(
    '%s disables the endpoint, and the other endpoints of its owner get an event',
    async (_, answer, reason) => {
      const caller = wholesaler();
      const told = await Receiver.start();
      await createEndpoint(notifier, caller, { url: told.url, events: ['endpoint.*'] });
      const { webhookEndpointId } = await createEndpoint(notifier, caller, {
        url: receiver.url,
        events: ['transaction.*'],
      });
      receiver.answer = answer;
      await announce(notifier, caller);
      await untilDeliveries(notifier, webhookEndpointId, 1, 'failed');
      await settleAll(notifier);
      await until('endpoint.disabled has arrived', () => told.received.length === 1);
      expect(told.received[0]?.event).toMatchObject({
        type: 'endpoint.disabled',
        data: { webhookEndpointId, reason },
      });
      const { body } = await endpointOf(notifier, caller, webhookEndpointId);
      expect(body).toMatchObject({ state: 'disabled', disabledReason: reason });

      await announce(notifier, caller);
      expect((await deliveriesTo(notifier, webhookEndpointId)).at(-1)?.status).toBe('held');
      expect((await post(caller, `${webhookEndpointId}/test`)).body.errorCode).toBe(
        'WEBHOOK_ENDPOINT_IS_NOT_ENABLED',
      );
      await told.stop();
    },
  );

  test('webhook-delivery: abort-message ends that delivery alone', async () => {
    const caller = wholesaler();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
    receiver.answer = answerWith(400, { 'webhook-delivery': 'abort-message' });
    await announce(notifier, caller);
    await untilDeliveries(notifier, webhookEndpointId, 1, 'aborted');
    const { body } = await endpointOf(notifier, caller, webhookEndpointId);
    expect(body.state).toBe('enabled');
  });

  test('an endpoint is disabled after days of failures, and not before', async () => {
    const caller = wholesaler();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
    receiver.answer = answerWith(500);
    const failAfter = async (set: string): Promise<string> => {
      await notifier.rows(
        `UPDATE webhook_endpoints SET enabled_at = now() - interval '80 hours', failures = 20,
                failing_since = now() - interval '80 hours', good_at = NULL WHERE id = $1`,
        [webhookEndpointId],
      );
      await notifier.rows(`UPDATE webhook_endpoints SET ${set} WHERE id = $1`, [webhookEndpointId]);
      const { id } = await announce(notifier, caller);
      await until('it is tried', async () =>
        (await deliveriesTo(notifier, webhookEndpointId)).some(
          (row) => row.event === id && row.attempts === 1 && row.status !== 'sending',
        ),
      );
      return (await endpointOf(notifier, caller, webhookEndpointId)).body.state;
    };
    expect(await failAfter(`failures = 8`)).toBe('enabled');
    expect(await failAfter(`failing_since = now() - interval '11 hours'`)).toBe('enabled');
    expect(await failAfter(`good_at = now() - interval '71 hours'`)).toBe('enabled');
    expect(await failAfter(`enabled_at = now() - interval '71 hours'`)).toBe('enabled');
    expect(await failAfter(`failures = 9`)).toBe('disabled');
  });
});

test('an attempt is a trace of its own, without the address and the event', async () => {
  const sink = await startOtlpSink();
  const log = createLogger('test', 'silent');
  const traces = openTelemetry({
    service: 'notifier',
    endpoint: sink.url,
    ratio: 1,
    trustsCallers: true,
    countSpans: () => undefined,
    log,
  });
  installTracer(traces.tracer);
  try {
    const caller = wholesaler();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
    await announce(notifier, caller);
    await untilDeliveries(notifier, webhookEndpointId, 1, 'delivered');
    const attempts = () =>
      sink.spans.filter(
        ({ name, attributes }) =>
          name === 'send webhook' && attributes['fiado.endpoint.id'] === webhookEndpointId,
      );
    await until('its span is there', () => attempts().length > 0);

    const [attempt] = attempts();
    expect(attempt?.parentSpanId).toBe('');
    expect(attempt?.attributes).toEqual({
      'fiado.event.type': expect.any(String),
      'fiado.endpoint.id': webhookEndpointId,
      'fiado.attempt': 1,
    });
    expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
  } finally {
    installTracer(undefined);
    await traces.close();
    await sink.stop();
  }
});
