import { endProcess } from '@fiado/chassis/testing/end-process';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { announce } from './support/events';
import { startNotifier, type Notifier } from './support/notifier';
import { startProcessBeside } from './support/notifier-process';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';
import { accept, Receiver } from './support/receiver';
import { createEndpoint, untilDeliveries } from './support/webhooks';

const EVENTS = 30;

let services: PublishingServices;
/** Takes requests and jobs; the process that is killed sends the webhooks. */
let notifier: Notifier;
let receiver: Receiver;

beforeAll(async () => {
  services = await startPublishingServices();
  notifier = await startNotifier({ ...services.environment, NOTIFIER_ROLES: 'sms' });
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.stop();
  await notifier.stop();
  await services.stop();
});

/** A sender that is killed while the receiver has accepted some events and still reads others. */
async function sendUntilKilled(): Promise<void> {
  receiver.answer = (res, received) => {
    if (receiver.received.length <= 5) accept(res, received);
  };
  const sender = await startProcessBeside(notifier, { NOTIFIER_ROLES: 'webhooks' });
  await until('the receiver reads an event', () => receiver.received.length > 5);
  await endProcess(sender);
  // Its claims lapse after 30 seconds.
  await notifier.rows(
    `UPDATE webhook_deliveries SET claimed_until = now() - interval '1 second'
      WHERE status = 'sending'`,
  );
}

test('kill -9: every event arrives, and one that arrives twice has one id', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  const events = [];
  for (let i = 0; i < EVENTS; i += 1) events.push(await announce(notifier, caller));

  await sendUntilKilled();
  receiver.answer = accept;
  const sender = await notifier.startOther({ NOTIFIER_ROLES: 'webhooks', NOTIFIER_PORT: 0 });
  await untilDeliveries(notifier, webhookEndpointId, EVENTS, 'delivered');
  await sender.stop();

  // Those that were on their way at the kill arrived again.
  expect(receiver.ids.length).toBeGreaterThan(EVENTS);
  expect([...new Set(receiver.ids)].toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  for (const { headers, event } of receiver.received) expect(headers['webhook-id']).toBe(event.id);
  expect(
    await notifier.rows('SELECT in_flight FROM webhook_endpoints WHERE id = $1', [
      webhookEndpointId,
    ]),
  ).toEqual([{ in_flight: 0 }]);
});
