import { deposit } from './support/deposit';
import { startPayments, type PaymentsService } from './support/service';

/** Many more than a claim takes. */
const REFUSED = 3_000;

let payments: PaymentsService;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

it('a deposit is applied while another queue refuses thousands of older jobs', async () => {
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

  await deposit(payments, {});

  const [waiting] = await payments.rows<{ count: number }>(
    `SELECT count(*)::int FROM outbox WHERE queue = 'notifier' AND enqueued_at IS NULL`,
  );
  expect(waiting?.count).toBe(REFUSED);
});
