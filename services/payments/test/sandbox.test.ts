import { wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { deliverTransaction, delivery } from './support/receivable';
import { startPayments } from './support/service';

const payments = forAllTests(startPayments);

const PATHS = ['deposits', 'clock', 'reset'].map((name) => `/v1/sandbox/${name}`);

it('the clock is only set to a moment in the future', async () => {
  for (const now of ['2020-01-01T00:00:00Z', 'mañana', '2999-01-01', '2999-02-30T00:00:00Z', 7]) {
    const answer = await payments.call(wholesaler(), 'POST', '/v1/sandbox/clock', {
      body: { now },
    });
    expect(answer.status).toBe(400);
  }
});

it('a deposit is for an own transaction, and its amount is positive', async () => {
  const caller = wholesaler();
  const order = delivery({ wholesalerId: caller.id });
  await deliverTransaction(payments, order);
  const { transactionId } = order;
  const post = (by: typeof caller, body: object) =>
    payments.call(by, 'POST', '/v1/sandbox/deposits', { body });

  const answer = await post(caller, { transactionId, amount: 10.5 });
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      transactionId,
      amount: 10.5,
      idFactura: expect.any(String),
      claveDePago: expect.any(String),
    },
  ]);
  for (const foreign of [transactionId, 'x']) {
    const refused = await post(wholesaler(), { transactionId: foreign, amount: 10 });
    expect([refused.status, refused.body.errorCode]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  }
  for (const amount of [0, -1, 1.001, '1']) {
    expect((await post(caller, { transactionId, amount })).status).toBe(400);
  }
});

it('production has none of it', async () => {
  const production = await startPayments({
    config: { FIADO_MODE: 'production', PUBLIC_URL: 'https://fiado.prestamista.mx' },
  });
  try {
    for (const path of PATHS) {
      const answer = await production.call(wholesaler(), 'POST', path, { body: { now: 'bad' } });
      expect([answer.status, answer.body.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  } finally {
    await production.stop();
  }
});
