import { createPublicKey, verify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { JsonText } from '@fiado/contracts/json-text';
import { announce } from './support/events';
import type { Notifier } from './support/notifier';
import { type Received, type Receiver } from './support/receiver';
import { createEndpoint, ENDPOINTS_PATH, untilDeliveries, useWebhooks } from './support/webhooks';

let notifier: Notifier;
let receiver: Receiver;
useWebhooks((started) => ({ notifier, receiver } = started));

const post = (caller: ReturnType<typeof wholesaler>, path: string, body: object = {}) =>
  notifier.call(caller, 'POST', `${ENDPOINTS_PATH}/${path}`, { body });

describe('signatures', () => {
  test('standardwebhooks and svix verify an event, whose bytes are those of the list', async () => {
    const caller = wholesaler();
    const { secret } = await createEndpoint(notifier, caller, { url: receiver.url });
    const metadata = new JsonText('{"folio": 12345678901234567890, "ñ": 1.50}');
    const event = await announce(notifier, caller, { data: { metadata } });
    await until('the event has arrived', () => receiver.received.length === 1);

    const [{ headers, body }] = receiver.received as [Received];
    expect(headers).toMatchObject({
      'webhook-id': event.id,
      'content-type': 'application/json',
      'user-agent': 'Fiado-Webhooks/1',
    });
    expect(body).toContain('{"folio": 12345678901234567890, "ñ": 1.50}');
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(event);
    expect(new SvixWebhook(secret).verify(body, headers)).toEqual(event);
    expect((await notifier.call(caller, 'GET', '/v1/events')).text).toContain(body);
  });

  test('v1a verifies with the public key, beside v1', async () => {
    const caller = wholesaler();
    const signatures = ['v1', 'v1a'];
    const made = await createEndpoint(notifier, caller, { url: receiver.url, signatures });
    await announce(notifier, caller);
    await until('the event has arrived', () => receiver.received.length === 1);

    const [{ headers, body }] = receiver.received as [Received];
    new StandardWebhook(made.secret).verify(body, headers);
    const x = Buffer.from(made.publicKey?.slice('whpk_'.length) ?? '', 'base64').toString(
      'base64url',
    );
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const v1a = headers['webhook-signature']?.split(' ').find((one) => one.startsWith('v1a,'));
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = Buffer.from(v1a?.slice('v1a,'.length) ?? '', 'base64');
    expect(verify(null, Buffer.from(content), key, signature)).toBe(true);
  });

  test('while a secret is replaced the old one verifies too, and not after that', async () => {
    const caller = wholesaler();
    const { webhookEndpointId, secret } = await createEndpoint(notifier, caller, {
      url: receiver.url,
    });
    const verifiers = async (): Promise<boolean[]> => {
      const before = receiver.received.length;
      await announce(notifier, caller);
      await until('the event has arrived', () => receiver.received.length > before);
      const { headers, body } = receiver.received.at(-1) as Received;
      return [secret, rotated.secret].map((one) => {
        try {
          new StandardWebhook(one).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      });
    };
    const { body: rotated } = await post(caller, `${webhookEndpointId}/rotate-secret`, {
      keepOldForHours: 1,
    });
    expect(rotated).toEqual({ secret: expect.stringMatching(/^whsec_/) });
    expect(await verifiers()).toEqual([true, true]);
    await notifier.rows(
      `UPDATE webhook_secrets SET expires_at = now() WHERE expires_at IS NOT NULL`,
    );
    expect(await verifiers()).toEqual([false, true]);
    const tooLong = await post(caller, `${webhookEndpointId}/rotate-secret`, {
      keepOldForHours: 169,
    });
    expect(tooLong.status).toBe(400);
  });
});

describe('an endpoint gets', () => {
  test('the events that it names', async () => {
    const caller = wholesaler();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, {
      url: receiver.url,
      events: ['transaction.*', 'payment.applied'],
    });
    const wanted = [
      await announce(notifier, caller, { type: 'transaction.paid' }),
      await announce(notifier, caller, { type: 'payment.applied' }),
    ];
    await announce(notifier, caller, { type: 'payment.reversed' });
    await announce(notifier, wholesaler(), { type: 'payment.applied' });
    await untilDeliveries(notifier, webhookEndpointId, 2, 'delivered');
    expect(receiver.ids.sort()).toEqual(wanted.map(({ id }) => id).sort());
  });

  test('a test event, ten times a minute', async () => {
    const caller = wholesaler();
    const { webhookEndpointId } = await createEndpoint(notifier, caller, {
      url: receiver.url,
      events: ['payment.*'],
    });
    const { status, body } = await post(caller, `${webhookEndpointId}/test`);
    expect(status).toBe(202);
    await post(caller, `${webhookEndpointId}/test`, { type: 'transaction.created' });
    const [first] = await untilDeliveries(notifier, webhookEndpointId, 2, 'delivered');
    expect(first?.id).toBe(body.deliveryId);
    expect(receiver.received.map(({ event }) => event.type).sort()).toEqual([
      'endpoint.test',
      'transaction.created',
    ]);
    expect(receiver.received[0]?.event.data).toMatchObject({ webhookEndpointId });
    expect((await notifier.call(caller, 'GET', '/v1/events')).body.events).toEqual([]);

    const more = await Promise.all(
      Array.from({ length: 10 }, () => post(caller, `${webhookEndpointId}/test`)),
    );
    expect(more.filter(({ status }) => status === 202)).toHaveLength(8);
    expect(more.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});
