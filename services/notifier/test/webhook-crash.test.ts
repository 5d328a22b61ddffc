import { endProcess } from '@fiado/chassis/testing/end-process';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { announce } from './support/events';
import { startNotifier, type Notifier } from './support/notifier';
import { startNotifierProcess } from './support/notifier-process';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';
import { accept, Receiver } from './support/receiver';
import { createEndpoint, untilDeliveries } from './support/webhooks';

const EVENTS = 30;

let services: PublishingServices;
/** Takes requests and jobs; the processes that are killed send the webhooks. */
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

function startSender() {
  const { DATABASE_URL, QUEUES_DATABASE_URL, PREPARED_STATEMENTS, REDIS_URL, QUEUE_PREFIX } =
    notifier.context.config;
  const stores = { DATABASE_URL, QUEUES_DATABASE_URL, REDIS_URL, QUEUE_PREFIX };
  return startNotifierProcess({
    ...(Object.fromEntries(
      Object.entries(stores).filter(([, value]) => value !== undefined),
    ) as Record<string, string>),
    PREPARED_STATEMENTS,
    NOTIFIER_PORT: '0',
    NOTIFIER_ROLES: 'webhooks',
  });
}

/** A sender that is killed while the receiver has accepted some events and still reads others. */
async function sendUntilKilled(): Promise<void> {
  const before = receiver.received.length;
  receiver.answer = (res, received) => {
    if (receiver.received.length <= before + 5) accept(res, received);
  };
  const sender = await startSender();
  await until('the receiver reads an event', () => receiver.received.length > before + 5);
  await endProcess(sender);
  // Its claims lapse after 30 seconds.
  await notifier.rows(
    `UPDATE webhook_deliveries SET claimed_until = now() - interval '1 second'
      WHERE status = 'sending'`,
  );
}

test('kill -9 twice: every event arrives, and one that arrives twice has one id', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: receiver.url });
  const events = [];
  for (let i = 0; i < EVENTS; i += 1) events.push(await announce(notifier, caller));

  await sendUntilKilled();
  await sendUntilKilled();
  receiver.answer = accept;
  const sender = await startSender();
  await untilDeliveries(notifier, webhookEndpointId, EVENTS, 'delivered');
  await endProcess(sender, 'SIGTERM');

  // Those that were on their way at a kill arrived again.
  expect(receiver.ids.length).toBeGreaterThan(EVENTS);
  expect([...new Set(receiver.ids)].toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  for (const { headers, event } of receiver.received) expect(headers['webhook-id']).toBe(event.id);
  expect(
    await notifier.rows('SELECT in_flight FROM webhook_endpoints WHERE id = $1', [
      webhookEndpointId,
    ]),
  ).toEqual([{ in_flight: 0 }]);
});
