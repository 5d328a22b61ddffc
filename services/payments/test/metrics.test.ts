import { ops } from '@fiado/chassis/testing/callers';
import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import { forAllTests } from '../../../test/support/for-all-tests';
import { detectDefaults } from '../src/defaults/detect-defaults';
import { sampleDeposits } from '../src/ops/figures';
import { sampleNotices } from '../src/notices/send-notices';
import { deposit, depositJson, postDeposit, untilSettled } from './support/deposit';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

/** Far behind every payment date of the tests. */
const LATER = new Date('2099-01-01T00:00:00Z');

const payments = forAllTests(startPayments);

async function metric(sample: string): Promise<number> {
  return sampleIn((await payments.call(undefined, 'GET', '/metrics')).text, sample);
}

async function sample(): Promise<void> {
  const { context } = payments;
  const readings = [...(await sampleDeposits(context)), ...(await sampleNotices(context))];
  for (const reading of readings) reading.record();
}

const counted = (event: string) => metric(`fiado_deposits_total{event="${event}"}`);

it('each change of a deposit is counted', async () => {
  const order = delivery();
  await deliverTransaction(payments, order);
  const body = depositJson({ valor: 10 });
  const events = ['received', 'repeated', 'contradicted', 'unmatched', 'assigned', 'reversed'];

  const increases = await increasesOf(
    () => Promise.all([...events, 'applied'].map(counted)),
    async () => {
      await postDeposit(payments, body);
      await untilSettled(payments);
      await postDeposit(payments, body);
      await postDeposit(payments, { ...body, valor: 11 });
      const [row] = await payments.rows<{ id: string }>('SELECT id FROM deposits');
      const path = `/v1/admin/deposits/${row?.id}`;
      const { cornerStoreId } = order;
      await payments.call(ops(), 'POST', `${path}/assign`, { body: { cornerStoreId } });
      for (let times = 0; times < 2; times += 1) {
        await payments.call(ops(), 'POST', `${path}/reverse`, {
          body: { reason: 'cheque devuelto' },
        });
      }
    },
  );

  expect(increases).toEqual([1, 1, 1, 1, 1, 1, 0]);
});

it('waiting deposits are exported with the age of the oldest, and 0 if none waits', async () => {
  await sample();
  expect(await metric('fiado_deposits_waiting{status="unmatched"}')).toBe(0);
  expect(await metric('fiado_deposits_oldest_waiting_seconds{status="unmatched"}')).toBe(0);

  await deposit(payments, {});
  await deposit(payments, {});
  await payments.rows(
    `UPDATE deposits SET received_at = now() - interval '1 hour'
      WHERE id = (SELECT id FROM deposits WHERE status = 'unmatched' LIMIT 1)`,
  );
  await sample();

  expect(await metric('fiado_deposits_waiting{status="unmatched"}')).toBe(2);
  const oldest = await metric('fiado_deposits_oldest_waiting_seconds{status="unmatched"}');
  expect(Math.round(oldest / 60)).toBe(60);
  expect(await metric('fiado_deposits_waiting{status="received"}')).toBe(0);
});

it('notices that are due are exported with the age of the oldest; those that wait for the day are not', async () => {
  const readings = () => [metric('fiado_notices_due'), metric('fiado_notices_oldest_due_seconds')];
  await payments.rows('DELETE FROM notices');
  await payments.rows(
    `INSERT INTO notices (kind, subject_id, corner_store_id, not_before)
     SELECT 'delivered', gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour'`,
  );
  await sample();
  expect(await Promise.all(readings())).toEqual([0, 0]);

  await payments.rows(`UPDATE notices SET not_before = now() - interval '1 hour'`);
  await sample();
  const [due, oldest = 0] = await Promise.all(readings());
  expect([due, Math.round(oldest / 60)]).toEqual([1, 60]);
});

it('defaults are counted as they open, and the time of the last detection is exported', async () => {
  const before = await metric('fiado_payment_defaults_opened_total');
  await deliverTransaction(payments, delivery());

  await detectDefaults(payments.context, { asOf: LATER });

  expect(await metric('fiado_payment_defaults_opened_total')).toBeGreaterThan(before);
  const lastLook = await metric('fiado_loop_last_done_timestamp_seconds{loop="detect defaults"}');
  expect(Math.abs(Date.now() / 1000 - lastLook)).toBeLessThan(60);
});
