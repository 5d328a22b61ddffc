import { type Answer, unlessBusy } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import type { Caller } from '@fiado/contracts/caller';
import { settleDeliveries } from '../../src/webhooks/settle-deliveries';
import { startNotifier, type Notifier } from './notifier';
import { startPublishingServices, type PublishingServices } from './publishing-services';
import { Receiver } from './receiver';

export const ENDPOINTS_PATH = '/v1/webhook-endpoints';

/**
 * Starts a notifier for the tests of a file, with stand-ins for the services that publish events, and
 * a new receiver for each test.
 * @param use gets both before each test
 */
export function useWebhooks(
  use: (started: { notifier: Notifier; receiver: Receiver }) => void,
): void {
  let services: PublishingServices;
  let notifier: Notifier;
  let receiver: Receiver;
  beforeAll(async () => {
    services = await startPublishingServices();
    notifier = await startNotifier(services.environment);
  });
  afterAll(async () => {
    await notifier.stop();
    await services.stop();
  });
  beforeEach(async () => {
    receiver = await Receiver.start();
    use({ notifier, receiver });
  });
  afterEach(() => receiver.stop());
}

export interface MadeEndpoint {
  webhookEndpointId: string;
  secret: string;
  publicKey: string | null;
}

/** Creates an endpoint. @throws Error when it is refused */
export async function createEndpoint(
  notifier: Notifier,
  caller: Caller,
  body: object,
): Promise<MadeEndpoint> {
  const answer = await unlessBusy(() => notifier.call(caller, 'POST', ENDPOINTS_PATH, { body }));
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

export interface DeliveryRow {
  id: string;
  event: string;
  run: number;
  status: string;
  attempts: number;
  waits_seconds: number;
}

/** The deliveries to an endpoint, oldest first. */
export function deliveriesTo(notifier: Notifier, endpointId: string): Promise<DeliveryRow[]> {
  return notifier.rows<DeliveryRow & Record<string, unknown>>(
    `SELECT id, 'evt_' || event_id AS event, run, status, attempts,
            EXTRACT(EPOCH FROM next_attempt_at - updated_at)::float8 AS waits_seconds
       FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id`,
    [endpointId],
  );
}

/** Waits until all deliveries to an endpoint have one of these statuses, and there are so many. */
export async function untilDeliveries(
  notifier: Notifier,
  endpointId: string,
  count: number,
  ...statuses: string[]
): Promise<DeliveryRow[]> {
  let rows: DeliveryRow[] = [];
  await until(`${count} deliveries are ${statuses.join(' or ')}`, async () => {
    rows = await deliveriesTo(notifier, endpointId);
    return rows.length === count && rows.every(({ status }) => statuses.includes(status));
  });
  return rows;
}

/** Makes what waits for its next attempt due now. */
export async function hurryDeliveries(notifier: Notifier, endpointId: string): Promise<void> {
  await notifier.rows(
    `UPDATE webhook_deliveries SET next_attempt_at = now()
      WHERE endpoint_id = $1 AND status = 'pending'`,
    [endpointId],
  );
  notifier.context.webhookSender.wake();
}

/** Rounds of the settler until none finds anything to do. */
export async function settleAll({ context }: Notifier): Promise<void> {
  while (await settleDeliveries(context));
}

export function endpointOf(notifier: Notifier, caller: Caller, id: string): Promise<Answer> {
  return notifier.call(caller, 'GET', `${ENDPOINTS_PATH}/${id}`);
}
