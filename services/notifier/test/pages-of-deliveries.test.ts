import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { pagesRead } from '@fiado/chassis/testing/pages-read';
import type { Caller } from '@fiado/contracts/caller';
import { Client } from 'pg';
import { startNotifier, type Notifier } from './support/notifier';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';
import { createEndpoint, ENDPOINTS_PATH } from './support/webhooks';

const URL = 'http://127.0.0.1:4000/hook';
const DELIVERIES = 10_000;
/** A page of 5 deliveries, or the rows of an endpoint, and the way to each in some indexes. */
const FEW_PAGES = 100;

let services: PublishingServices;
let notifier: Notifier;
let few: { caller: Caller; id: string };
beforeAll(async () => {
  services = await startPublishingServices();
  notifier = await startNotifier(services.environment);
  few = await endpointWith(5);
  await endpointWith(DELIVERIES);
});
afterAll(async () => {
  await notifier.stop();
  await services.stop();
});

/** An endpoint with many past deliveries, of which so many failed. */
async function endpointWith(failed: number): Promise<{ caller: Caller; id: string }> {
  const caller = wholesaler();
  const { webhookEndpointId: id } = await createEndpoint(notifier, caller, { url: URL });
  const owner = new Client({
    connectionString: notifier.ownerUrl,
    options: '-c search_path=notifier -c session_replication_role=replica',
  });
  await owner.connect();
  await owner.query(
    `WITH event AS (
       INSERT INTO events (id, owner_id, position, type, subject_id, subject_version, body, occurred_at)
       SELECT gen_random_uuid(), $2::uuid, 1000 + n, 'transaction.paid', gen_random_uuid(), 1, '{}', now()
         FROM generate_series(1, $3::int) n RETURNING id, position, subject_id)
     INSERT INTO webhook_deliveries
       (id, endpoint_id, event_id, run, subject_id, subject_version, position, status)
     SELECT uuidv7(), $1::uuid, id, 0, subject_id, 1, position,
            CASE WHEN position <= 1000 + $4 THEN 'failed' ELSE 'delivered' END FROM event`,
    [id, caller.id, DELIVERIES, failed],
  );
  await owner.query('VACUUM (ANALYZE) events, webhook_deliveries');
  await owner.end();
  return { caller, id };
}

function pagesOf(request: () => Promise<unknown>): Promise<number> {
  const { context, ownerUrl } = notifier;
  return pagesRead({ db: context.db, ownerUrl, schema: 'notifier' }, request);
}

test('failing deliveries of one endpoint cost the same, however many those of others are', async () => {
  const path = `/v1/admin/webhook-deliveries?limit=5&webhookEndpointId=${few.id}`;
  const pages = await pagesOf(async () => {
    expect((await notifier.call(ops('viewer'), 'GET', path)).body.deliveries).toHaveLength(5);
  });
  expect(pages).toBeLessThan(FEW_PAGES);
});

test('an endpoint is paused, resumed and deleted by its open deliveries alone', async () => {
  const { caller, id } = few;
  const path = `${ENDPOINTS_PATH}/${id}`;
  for (const state of ['paused', 'enabled']) {
    const pages = await pagesOf(async () => {
      const { status } = await notifier.call(caller, 'PUT', path, { body: { state } });
      expect(status).toBe(200);
    });
    expect(pages).toBeLessThan(FEW_PAGES);
  }
  const pages = await pagesOf(async () => {
    expect((await notifier.call(caller, 'DELETE', path)).status).toBe(204);
  });
  expect(pages).toBeLessThan(FEW_PAGES);
});
