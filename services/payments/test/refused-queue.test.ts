import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deposit } from './support/deposit';
import { deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments } from './support/service';

/** Many more than a claim takes. */
const REFUSED = 3_000;

const payments = forAllTests(startPayments);

it('the job of a payment leaves while another queue refuses thousands of older jobs', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const { queues, relay } = payments.context;
  const add = queues.add.bind(queues);
  queues.add = (queue, ...jobs) =>
    queue === 'notifier'
      ? Promise.reject(new Error('NOPERM No permissions to access a key'))
      : add(queue, ...jobs);
  await payments.rows(
    `INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, data, created_at)
     SELECT gen_random_uuid(), 'notifier', 'announce-event', 1, gen_random_uuid(), 1, '{}',
            now() - interval '1 hour'
       FROM generate_series(1, $1)`,
    [REFUSED],
  );
  relay.wake();

  await deposit(payments, { idFactura: (await receivableOf(payments, order)).id_factura });
  await until('its job is in its queue', async () => {
    const left = await payments.rows(
      `SELECT FROM outbox WHERE type = 'payment.applied' AND enqueued_at IS NOT NULL`,
    );
    return left.length === 1;
  });

  const [waiting] = await payments.rows<{ count: number }>(
    `SELECT count(*)::int FROM outbox WHERE queue = 'notifier' AND enqueued_at IS NULL`,
  );
  expect(waiting?.count).toBe(REFUSED);
});
