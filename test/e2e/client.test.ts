import { Fiado, FiadoError } from '@fiado/client';
import { until } from '@fiado/chassis/testing/until';
import { createConsumer, OWN_COMPILER, type Consumer } from './support/consumer';
import { sharedSystem } from './support/shared-system';
import { createWholesaler } from './support/story';

const system = sharedSystem();

/** The story runs as it was compiled: these tests follow each other. */
describe('in an empty folder', () => {
  let consumer: Consumer;
  beforeAll(async () => (consumer = await createConsumer()));
  afterAll(() => consumer.dispose());

  it('the client is small and comes alone', async () => {
    const { packages, bytes } = await consumer.installed();

    expect(packages).toEqual(['@fiado']);
    expect(bytes).toBeLessThan(40_000);
  });

  it("the README's story compiles, with no types but Node's", async () => {
    expect(await consumer.compile(OWN_COMPILER, 'story.mts', ['node'])).toBe('');
    expect(await consumer.compile(OWN_COMPILER, 'types.ts', [])).toBe('');
  });

  it("the README's story runs, from the order to the payment", async () => {
    const { key } = await createWholesaler(system);
    const printed = await consumer.run('story.mjs', { API_KEY: key, BASE_URL: system.baseUrl });

    expect(printed).toBe('paid 507.84\n');
  });
});

it('works with access tokens, and tells a refusal from a wrong request', async () => {
  const { key } = await createWholesaler(system);
  const fiado = new Fiado({ apiKey: key, baseUrl: system.baseUrl, tokens: true });
  const { cornerStoreId } = await fiado.sandbox.createCustomer({ status: 'pre-approved' });
  const failureOf = (totalAmount: number) =>
    fiado.transactions
      .create({
        cornerStoreId,
        totalAmount,
        products: [{ externalSKU: 'S', name: 'R', quantity: 1 }],
      })
      .catch((error: unknown) => error as FiadoError);

  expect(await failureOf(500)).toMatchObject({ status: 422, code: 'USER_NOT_VERIFIED' });
  expect(await failureOf(-1)).toMatchObject({
    code: 'VALIDATION_FAILED',
    problems: [expect.stringContaining('totalAmount')],
  });
});

it('reads a list of events page by page', async () => {
  const { key } = await createWholesaler(system);
  const fiado = new Fiado({ apiKey: key, baseUrl: system.baseUrl });
  await fiado.events.changeSettings({ enabled: true });
  const from = new Date(0).toISOString();
  const { cornerStoreId } = await fiado.sandbox.createCustomer({
    status: 'approved',
    creditLimit: 500,
  });
  for (let number = 0; number < 3; number += 1) {
    const products = [{ externalSKU: 'S', name: 'R', quantity: 1 }];
    const order = await fiado.transactions.create({ cornerStoreId, totalAmount: 100, products });
    await fiado.transactions.cancel(order.transactionId);
  }
  await until('the list has every event', async () => {
    const types: string[] = [];
    for await (const { type } of fiado.events.list({ type: 'transaction.*', limit: 2, from })) {
      types.push(type);
    }
    return types.filter((type) => type === 'transaction.cancelled').length === 3;
  });
});
