import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fiado, FiadoError } from '@fiado/client';
import { until } from '@fiado/chassis/testing/until';
import { packagesOf } from '@fiado/gateway/docs/packages';
import { createConsumer, OWN_COMPILER, type Consumer } from './support/consumer';
import { sharedSystem } from './support/shared-system';
import { createWholesaler } from './support/story';

const system = sharedSystem();

/** The story runs as it was compiled: these tests follow each other. */
describe('in an empty folder', () => {
  let consumer: Consumer;
  beforeAll(async () => (consumer = await createConsumer(system)));
  afterAll(() => consumer.dispose());

  it('the client is small and comes alone', async () => {
    const { packages, bytes } = await consumer.installed();

    expect(packages).toEqual(['@fiado']);
    expect(bytes).toBeLessThan(40_000);
  });

  it('it has its licence, and the versions of Node that it runs on', async () => {
    const folder = join(consumer.folder, 'node_modules/@fiado/client');
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;

    expect(manifest).toMatchObject({ license: 'Apache-2.0', engines: { node: '>=20.16' } });
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
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

it('the same build makes the same packages', async () => {
  for (const [name, pack] of packagesOf()) {
    const served = await fetch(`${system.baseUrl}/docs/packages/${name}`);

    expect([name, served.status]).toEqual([name, 200]);
    expect((await pack()).equals(Buffer.from(await served.arrayBuffer()))).toBe(true);
  }
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
