import { connect } from 'node:net';
import { createStore, createWholesaler, type Store, type Wholesaler } from '../e2e/support/story';
import { sharedSystem } from '../e2e/support/shared-system';

/** One route of each limit, and one that ignores unknown fields of a small body. */
const ROUTES = [
  { name: 'createTransaction', method: 'POST', path: '/transaction', limit: 100 * 1024 },
  {
    name: 'createTransactions',
    method: 'POST',
    path: '/transaction/batch',
    limit: 2 * 1024 * 1024,
  },
  {
    name: 'getCornerStores',
    method: 'POST',
    path: '/corner-store/external',
    limit: 2 * 1024 * 1024,
  },
  {
    name: 'recordOnboardingStep',
    method: 'PUT',
    path: '/account/:userId/verification/:userId/onboarding',
    limit: 8 * 1024 * 1024,
  },
];
/** Of each shape: 21 bodies of 100 kB within a second have opened a breaker, and there are ten shapes. */
const BURST_OF_EACH = 3;
const BREAKER_OPENINGS = /^fiado_breaker_openings_total\{.*\} (\d+)$/gm;

const system = sharedSystem();
let attacker: Wholesaler;
let neighbour: Wholesaler;
let customer: Store;
beforeAll(async () => {
  attacker = await createWholesaler(system);
  neighbour = await createWholesaler(system);
  customer = await createStore(system, neighbour);
});

/** Bodies just below a length in bytes. */
function bodiesOf(bytes: number): Record<string, string> {
  const times = (text: string) => text.repeat(Math.floor((bytes - 200) / text.length));
  const depth = Math.floor((bytes - 200) / 2);
  let keys = '';
  for (let i = 0; keys.length < bytes - 200; i += 1) keys += `"k${i}":0,`;
  return {
    wide: `[${times('0,')}0]`,
    'wide in a field': `{"products":[${times('{},')}{}],"transactions":[]}`,
    'wide in a field of the batch': `{"transactions":[${times('{},')}{}]}`,
    'wide in lists of a list': `{"transactions":[{"products":[${times('{},')}{}]}]}`,
    deep: '['.repeat(depth) + ']'.repeat(depth),
    'deep and not closed': times('{"a":'),
    'of many keys': `{${keys}"last":0}`,
    'of one long string': `{"step":"${times('x')}"}`,
    'of a long string of separators': `{"step":"${times(',[{')}"}`,
    'of escaped quotes': `{"step":"${times('\\"')}"}`,
  };
}

async function breakerOpenings(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${system.ports[0]}/metrics`)).text();
  return [...text.matchAll(BREAKER_OPENINGS)].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function neighbourIsServed(): Promise<void> {
  const path = `/corner-store/external/${customer.externalId}`;
  expect((await system.call(neighbour.key, 'GET', path)).status).toBe(200);
}

const SHAPES = Object.keys(bodiesOf(1_000));

describe.each(ROUTES)('$name', ({ method, path, limit }) => {
  const send = (body: string) =>
    system.call(attacker.key, method, path.replaceAll(':userId', customer.userId), { body });
  // After some megabytes of refused bodies a key's large ones are a 429.
  beforeEach(async () => {
    attacker = await createWholesaler(system);
  });

  it.each(SHAPES)('refuses a body %s, and serves another wholesaler meanwhile', async (shape) => {
    const attack = send(bodiesOf(limit)[shape] as string);
    await neighbourIsServed();
    const { status } = await attack;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('answers 413 to a body above its limit', async () => {
    expect((await send(`{"a":"${'x'.repeat(limit)}"}`)).status).toBe(413);
  });
});

it.each(ROUTES)('bodies of 100 kB to $name do not open a breaker', async ({ method, path }) => {
  const before = await breakerOpenings();
  const url = path.replaceAll(':userId', customer.userId);
  attacker = await createWholesaler(system);
  const attacks = Object.values(bodiesOf(100_000)).flatMap((body) =>
    Array.from({ length: BURST_OF_EACH }, () => system.call(attacker.key, method, url, { body })),
  );
  await neighbourIsServed();
  for (const { status } of await Promise.all(attacks)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  expect(await breakerOpenings()).toBe(before);
});

it('slow bodies leave connections for another wholesaler', async () => {
  const sockets = Array.from({ length: 300 }, () => {
    const socket = connect(system.ports[0] as number, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `POST /v1/corner-store/external HTTP/1.1\r\nHost: x\r\nAuthorization: ${attacker.key}\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
    );
    return socket;
  });
  await neighbourIsServed();
  for (const socket of sockets) socket.destroy();
});
