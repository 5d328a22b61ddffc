import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { defaultsOf, deliverOverdue, detect } from './support/defaults';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

it('detectDefaults opens the default of a receivable that a payment had locked', async () => {
  const order = await deliverOverdue(payments);
  const other = await deliverOverdue(payments);

  // In an object: a database transaction would wait for the answer itself.
  const waiting = await payments.context.db.transaction(async (tx) => {
    await tx.connection.query(
      'SELECT FROM receivables WHERE transaction_id = $1 FOR NO KEY UPDATE',
      [order.transactionId],
    );
    const answer = detect(payments);
    // By then the detection has skipped the locked one.
    await until('the other default is open', async () => {
      return (await defaultsOf(payments, other)).length === 1;
    });
    return { answer };
  });

  // The number is not compared: the loop of the service may have opened the other one.
  expect((await waiting.answer).status).toBe(200);
  expect(await defaultsOf(payments, order)).toHaveLength(1);
});
