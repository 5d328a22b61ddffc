import { inFlight, interleaved } from '@fiado/chassis/testing/in-flight';
import { verify } from './support/month';
import { buyAndPay, createProvider, createStore, createWholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();

it('a corner store buys on credit, is delivered, pays, and has its credit back', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);

  await buyAndPay(system, { wholesaler, provider, store });
});

it('accepts exactly 100 of 400 parallel orders, batch items and links, and balances reconcile', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const post = (path: string, body: object) => system.call(wholesaler.key, 'POST', path, { body });
  const one = {
    cornerStoreId: store.cornerStoreId,
    totalAmount: 100,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
  };
  const ten = Array.from({ length: 10 }, () => ({ ...one, metadata: {} }));

  const answers = await inFlight(
    interleaved(
      Array.from({ length: 120 }, () => () => post('/transaction', one)),
      Array.from(
        { length: 16 },
        () => () => post('/transaction/batch', { driverId: 'd', transactions: ten }),
      ),
      Array.from(
        { length: 120 },
        () => () => post(`/link/external/${store.externalId}`, { transaction: one }),
      ),
    ),
  );

  const outcomes = answers.flatMap(({ status, body }) =>
    Array.isArray(body)
      ? body.map((item) => (item.status === 'accepted' ? 'taken' : item.rejectionReasons.join()))
      : [status === 201 ? 'taken' : body.errorCode],
  );
  expect(outcomes).toHaveLength(400);
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(100);
  expect(new Set(outcomes)).toEqual(
    new Set(['taken', 'CREDIT_LIMIT_EXCEEDED', 'INSUFFICIENT_CREDIT']),
  );
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});
