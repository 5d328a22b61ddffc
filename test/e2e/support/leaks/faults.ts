import { Client } from 'pg';
import {
  INVOICE_PRODUCT,
  placeOrder,
  startVerification,
  type World,
} from '../../../contract/support/world';
import { waitFor } from '../api';
import { importStore } from '../story';
import type { TracedDeployment } from './deployment';

/** Base of a job that no handler can read: a sent job with an unknown template. */
const SPOIL_JOB = `
  INSERT INTO transactions.outbox (id, queue, type, version, aggregate_id, aggregate_version, data)
  SELECT gen_random_uuid(), queue, type, version, aggregate_id, aggregate_version,
         jsonb_set(data::jsonb, '{template}', '"lottery"')
    FROM transactions.outbox WHERE type = 'send-message' AND data IS NOT NULL LIMIT 1
  RETURNING id`;

/** Twilio and Facturapi fail and repeat the request in the error. */
export async function provokeThirdParties(
  world: World,
  deployment: TracedDeployment,
): Promise<void> {
  const { system, wholesaler, quick, quickCustomer } = world;
  for (const status of [500, 400, 401, 404]) {
    const refusal = { refuse: status, code: 20404 };
    deployment.twilio.behaviours = [refusal];
    deployment.facturapi.behaviours = [refusal];
    const posted = deployment.twilio.posts.length;
    const { transactionId } = await placeOrder(system, quick, quickCustomer);
    const products = [{ product: INVOICE_PRODUCT, quantity: 1 }];
    const body = { invoice: { discount: 0, products } };
    await system.call(quick.key, 'POST', `/transaction/${transactionId}/invoice`, { body });
    await startVerification(system, wholesaler, await importStore(system, wholesaler));
    await waitFor(async () => deployment.twilio.posts.length >= posted + 2 || undefined);
  }
  deployment.twilio.behaviours = ['accept'];
  deployment.facturapi.behaviours = ['accept'];
}

/** A job that cannot be read, until it is a dead letter. */
export async function provokeDeadLetter(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(SPOIL_JOB);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('No SMS was in the outbox to make a dead letter of');
  await waitFor(async () => {
    // Pretends that it was relayed a minute ago, so that the sweeper looks it up.
    await owner.query(
      `UPDATE transactions.outbox SET enqueued_at = enqueued_at - interval '1 minute'
        WHERE id = $1 AND enqueued_at IS NOT NULL AND dead_at IS NULL`,
      [id],
    );
    const { rowCount } = await owner.query(
      'SELECT FROM transactions.outbox WHERE id = $1 AND dead_at IS NOT NULL',
      [id],
    );
    return rowCount === 1 || undefined;
  });
}

/** Statements that the database refuses with the whole row in its reason, and lost connections. */
export async function provokeDatabase(world: World, owner: Client): Promise<void> {
  const { system, wholesaler } = world;
  const customer = await importStore(system, wholesaler);
  const place = 'accounts.verifications';
  await owner.query(`ALTER TABLE ${place} ADD CONSTRAINT nothing CHECK (phone IS NULL) NOT VALID`);
  const refused = await system.call(
    wholesaler.key,
    'POST',
    `/account/${customer.userId}/verification`,
    { body: { firstName: 'Xiadani', lastNames: 'Qüetzalpapálotl', phoneNumber: customer.phone } },
  );
  await owner.query(`ALTER TABLE ${place} DROP CONSTRAINT nothing`);
  expect(refused.status).toBe(500);

  const asked = Array.from({ length: 20 }, () =>
    system.call(wholesaler.key, 'GET', `/corner-store/external/${customer.externalId}`),
  );
  await owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'fiado\\_%'",
  );
  await Promise.all(asked);
  await waitFor(async () => {
    const body = { firstName: 'Xiadani', lastNames: 'Nopaltzin', phoneNumber: customer.phone };
    const path = `/account/${customer.userId}/verification`;
    const { status } = await system.call(wholesaler.key, 'POST', path, { body });
    return status === 201 || undefined;
  });
}
