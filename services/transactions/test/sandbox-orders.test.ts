import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

const PATH = '/internal/sandbox/deliver-order';

it('an order is placed and delivered once, with the word that its wholesaler requires', async () => {
  // Only accounts knows of the customer: its event may be late.
  const store = transactions.createCornerStoreInAccounts({
    settings: { deliveryWordRequired: true },
  });
  const { caller, cornerStoreId } = store;
  const body = {
    wholesalerId: caller.id,
    cornerStoreId,
    wholesalerTransactionId: 'sandbox-1',
    amountCents: 10_000,
  };
  const deliver = () => transactions.call(service('payments'), 'POST', PATH, { body });
  const first = await deliver();
  expect([first.status, first.body]).toMatchObject([
    200,
    { cornerStoreId, principalCents: 10_000 },
  ]);
  expect((await deliver()).body).toEqual(first.body);

  expect(await transactions.statusOf(store, first.body.transactionId)).toBe('delivery');
  expect(await transactions.usedCents(cornerStoreId)).toBe(10_000);
  const events = await transactions.outbox('transaction.delivered');
  expect(events).toHaveLength(1);
  await transactions.checkLedger();
});

it('an order needs no batches: its wholesaler may have them switched off', async () => {
  const { caller, cornerStoreId } = await transactions.createCornerStore({
    settings: { batchEnabled: false },
  });
  const body = {
    wholesalerId: caller.id,
    cornerStoreId,
    wholesalerTransactionId: 'sandbox-4',
    amountCents: 10_000,
  };
  const answer = await transactions.call(service('payments'), 'POST', PATH, { body });
  expect([answer.status, answer.body]).toMatchObject([200, { principalCents: 10_000 }]);
});

it('an order that is refused is a 503, so that its job is repeated', async () => {
  const { caller, cornerStoreId } = await transactions.createCornerStore({
    store: { status: 'pre-approved' },
  });
  const body = {
    wholesalerId: caller.id,
    cornerStoreId,
    wholesalerTransactionId: 'sandbox-2',
    amountCents: 10_000,
  };
  const answer = await transactions.call(service('payments'), 'POST', PATH, { body });
  expect([answer.status, answer.body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
});

it('production has no such order', async () => {
  const production = await startTransactions({
    FIADO_MODE: 'production',
    PUBLIC_URL: 'https://fiado.test',
  });
  const body = {
    wholesalerId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    cornerStoreId: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    wholesalerTransactionId: 'sandbox-3',
    amountCents: 10_000,
  };
  const answer = await production.call(service('payments'), 'POST', PATH, { body });
  expect([answer.status, answer.body.errorCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
  await production.stop();
});
