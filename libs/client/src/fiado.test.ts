import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { failureOf, scripted, TEST_KEY } from '../test/support/scripted-fetch';
import { VERSION } from './call';
import { Fiado } from './fiado';

it('sends path, body, query and headers', async () => {
  const { fiado, sent } = scripted(
    [
      { status: 200, body: { success: true } },
      { status: 200, body: {} },
    ],
    {
      baseUrl: 'https://fiado.example/v1/',
    },
  );
  const deposit = {
    idFactura: 'f',
    numeroReferencia: 'n',
    valor: 1,
    fechaPago: '2026-11-20 10:00:00.000',
    claveDePago: 'c',
  };
  await fiado.payments.recordDeposit(
    deposit,
    { paymentProviderName: 'Pagos & Más' },
    { idempotencyKey: 'k', requestId: 'r' },
  );
  await fiado.cornerStores.get('tienda/1 ?');

  const [first, second] = sent;
  expect(first).toMatchObject({
    url: 'https://fiado.example/v1/customer-transaction/payment/deposit?paymentProviderName=Pagos+%26+M%C3%A1s',
    method: 'POST',
    redirect: 'manual',
    body: JSON.stringify(deposit),
    headers: {
      authorization: `Bearer ${TEST_KEY}`,
      'content-type': 'application/json',
      'idempotency-key': 'k',
      'x-request-id': 'r',
      'user-agent': expect.stringMatching(/^fiado-client\/\d+\.\d+\.\d+ node\/\d+$/),
    },
  });
  expect(second?.url).toBe('https://fiado.example/v1/corner-store/external/tienda%2F1%20%3F');
  expect(Object.keys(second?.headers ?? {})).not.toContain('idempotency-key');
});

it('refuses arguments that would reach another path, and keys that no header can carry', async () => {
  const { fiado, sent } = scripted([]);
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    await expect(fiado.transactions.get(id)).rejects.toThrow('transactionId must be the text');
  }
  const cancel = fiado.transactions.cancel('t', { idempotencyKey: 'línea\n' });
  await expect(cancel).rejects.toThrow('idempotencyKey must be');
  expect(sent).toEqual([]);
});

it('refuses options that cannot work, without naming the key', () => {
  expect(() => new Fiado({ apiKey: 'fiado_test_a\nb' })).toThrow(/^apiKey must be a key of Fiado/);
  expect(() => new Fiado({ apiKey: 'fiado_live_a' })).toThrow('baseUrl is needed');
  expect(() => new Fiado({ apiKey: TEST_KEY, baseUrl: 'fiado.example' })).toThrow('must look like');
});

it('refuses a live key in a browser', () => {
  Reflect.set(globalThis, 'document', {});
  const options = { apiKey: 'fiado_live_a', baseUrl: 'https://fiado.example' };
  expect(() => new Fiado(options)).toThrow('must stay on your server');
  Reflect.deleteProperty(globalThis, 'document');
  expect(() => new Fiado(options)).not.toThrow();
});

describe('tokens', () => {
  const token = { status: 200, body: { accessToken: 'tok', tokenType: 'Bearer', expiresIn: 3600 } };
  const ok = { status: 200, body: {} };

  it('one is issued for all calls, and renewed at 80 % of its life', async () => {
    jest.useFakeTimers();
    const { fiado, sent } = scripted([token, ok, ok, ok, token, ok], { tokens: true });
    await Promise.all([fiado.transactions.get('a'), fiado.transactions.get('b')]);
    jest.advanceTimersByTime(0.79 * 3_600_000);
    await fiado.transactions.get('c');
    jest.advanceTimersByTime(0.02 * 3_600_000);
    await fiado.transactions.get('d');
    jest.useRealTimers();

    expect(sent.map(({ url, headers }) => `${url.slice(-5)} ${headers['authorization']}`)).toEqual([
      `token Bearer ${TEST_KEY}`,
      'ion/a Bearer tok',
      'ion/b Bearer tok',
      'ion/c Bearer tok',
      `token Bearer ${TEST_KEY}`,
      'ion/d Bearer tok',
    ]);
  });

  it('a refused one is replaced once', async () => {
    const refusal = { status: 401, body: { errorCode: 'UNAUTHORIZED', errorMessage: 'no' } };
    const { fiado, sent } = scripted([token, refusal, token, ok], { tokens: true, maxRetries: 0 });
    await expect(fiado.transactions.get('a')).resolves.toEqual({});
    expect(sent).toHaveLength(4);

    const { fiado: wrong } = scripted([token, refusal, token, refusal], { tokens: true });
    await expect(wrong.transactions.get('a')).rejects.toThrow('401 UNAUTHORIZED');
  });
});

describe('lists', () => {
  const page = (ids: string[], nextCursor: string | null) => ({
    status: 200,
    body: { transactions: ids.map((transactionId) => ({ transactionId })), nextCursor },
  });

  it('are read by cursor, with the same filters', async () => {
    const { fiado, sent } = scripted([page(['a', 'b'], 'n'), page(['c'], null)]);
    const ids: string[] = [];
    for await (const { transactionId } of fiado.transactions.list({ status: 'on-hold' })) {
      ids.push(transactionId);
    }

    expect(ids).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual([
      'status=on-hold',
      'status=on-hold&cursor=n',
    ]);
  });

  it('read no page before it is needed', async () => {
    const { fiado, sent } = scripted([page(['a'], 'n')]);
    for await (const { transactions } of fiado.transactions.list().pages()) {
      expect(transactions).toHaveLength(1);
      break;
    }
    expect(sent).toHaveLength(1);
  });

  it('of numbered pages end with the last', async () => {
    const numbered = (last: boolean) => ({ status: 200, body: { paymentDefaults: [{}], last } });
    const { fiado, sent } = scripted([numbered(false), numbered(true)]);
    let count = 0;
    for await (const _ of fiado.cornerStores.listDefaults()) count += 1;

    expect(count).toBe(2);
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual([undefined, 'page=2']);
  });
});

describe('createMany', () => {
  const orders = (count: number, text = '') =>
    Array.from({ length: count }, (_, index) => ({
      cornerStoreId: `c${index}`,
      totalAmount: 1,
      metadata: { text },
      products: [],
    }));
  const accept = (ids: number[]) => ({
    status: 200,
    body: ids.map((id) => ({ transactionId: `${id}` })),
  });

  it('cuts at 500, keeps the order, and derives a key for each batch', async () => {
    const { fiado, sent } = scripted([accept([1, 2]), accept([3]), accept([4])]);
    const body = { driverId: 'd', transactions: orders(1_001) };
    const results = await fiado.transactions.createMany(body, { idempotencyKey: 'import-7' });

    expect(results.map((one) => 'transactionId' in one && one.transactionId)).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'import-7-0',
      'import-7-1',
      'import-7-2',
    ]);
    const sizes = sent.map(({ body: text }) => JSON.parse(text ?? '').transactions.length);
    expect(sizes).toEqual([500, 500, 1]);
  });

  it('cuts before the 2 MB that the API accepts', async () => {
    const { fiado, sent } = scripted([accept([1]), accept([2])]);
    const body = { driverId: 'd', transactions: orders(150, 'ñ'.repeat(8_000)) };
    await fiado.transactions.createMany(body, { idempotencyKey: 'k' });

    expect(sent).toHaveLength(2);
    for (const { body: text } of sent)
      expect(Buffer.byteLength(text ?? '')).toBeLessThan(2_000_000);
  });

  it('needs a key', async () => {
    const { fiado } = scripted([]);
    const call = fiado.transactions.createMany({ driverId: 'd', transactions: [] }, {} as never);
    await expect(call).rejects.toThrow('createMany needs an idempotencyKey');
  });
});

it('waitFor ends with the status, or in time', async () => {
  const status = (transactionStatus: string) => ({ status: 200, body: { transactionStatus } });
  const { fiado } = scripted([status('on-hold'), status('paid'), status('on-hold')]);

  await expect(fiado.transactions.waitFor('t', ['paid', 'cancelled'])).resolves.toEqual({
    transactionStatus: 'paid',
  });
  const late = await failureOf(fiado.transactions.waitFor('t', 'paid', { timeoutMs: 0 }));
  expect(late).toMatchObject({
    name: 'FiadoTimeoutError',
    message: expect.stringContaining('paid'),
  });
});

it('sandbox.code waits for the SMS and reads its code', async () => {
  const sms = (state: string) => ({
    status: 200,
    body: { messages: [{ status: state, body: '123456 es' }] },
  });
  const { fiado } = scripted([
    { status: 200, body: { messages: [] } },
    sms('pending'),
    sms('sent'),
  ]);

  await expect(fiado.sandbox.code('v')).resolves.toBe('123456');
});

it('the version is that of package.json', () => {
  const text = readFileSync(resolve(__dirname, '../package.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: VERSION });
});
