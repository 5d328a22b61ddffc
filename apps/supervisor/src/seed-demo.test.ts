import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { demoFile, seedDemo } from './seed-demo';

interface Call {
  line: string;
  key: string | undefined;
  body: { customers?: { externalId: string; phoneNumber: string }[] };
}

let dataDir: string;
let server: Server;
let calls: Call[];
/** Call that the stand-in of the gateway fails, as if everything had been killed there. */
let failing: string | undefined;
/** Call whose effect waits for a second person. */
let waiting: string | undefined;
let knownKey: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fiado-demo-'));
  calls = [];
  failing = undefined;
  waiting = undefined;
  knownKey = 'key-1';
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      const key = request.headers.authorization;
      calls.push({ line, key, body: JSON.parse(text || '{}') as Call['body'] });
      const [status, answer] = answerTo(line, key);
      response.writeHead(status).end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await rm(dataDir, { recursive: true, force: true });
});

const STEPS = [
  'POST /v1/admin/wholesalers',
  'POST /v1/admin/wholesalers/w/customers',
  'POST /v1/admin/corner-stores/store-tienda-001/approve',
  'POST /v1/admin/corner-stores/store-tienda-002/approve',
  'POST /v1/admin/payment-providers',
];

describe('seedDemo', () => {
  it('makes a wholesaler, three customers of whom two are approved, and a provider', async () => {
    const demo = await seed();

    expect(calls.map(({ line }) => line)).toEqual(STEPS);
    expect(new Set(calls.map(({ key }) => key))).toEqual(new Set(['ops']));
    expect(demo.wholesaler?.apiKey).toBe('key-1');
    expect(JSON.parse(readFileSync(demoFile(dataDir), 'utf8'))).toEqual(demo);
    const phones = calls[1]?.body.customers?.map(({ phoneNumber }) => phoneNumber) ?? [];
    expect(phones).toHaveLength(3);
    expect(phones.every((phone) => isValidPhoneNumber(phone))).toBe(true);
  });

  it('makes nothing twice', async () => {
    const first = await seed();
    calls = [];

    expect(await seed()).toEqual(first);
    expect(calls).toEqual([
      { line: 'GET /v1/corner-store/external/tienda-001', key: 'key-1', body: {} },
    ]);
  });

  it.each(STEPS)('goes on where it ended at %s', async (step) => {
    failing = step;
    await expect(seed()).rejects.toThrow(`${step} answered 500`);
    failing = undefined;
    const done = calls.filter(({ line }) => line !== step).map(({ line }) => line);
    calls = [];

    await seed();

    const now = calls.map(({ line }) => line).filter((line) => line.startsWith('POST'));
    expect([...done, ...now]).toEqual(STEPS);
  });

  it.each(STEPS)('says that %s waits for a second person', async (step) => {
    waiting = step;

    await expect(seed()).rejects.toThrow(`${step} waits for a second person`);
  });

  it('starts again if the database no longer knows its key', async () => {
    await seed();
    calls = [];
    knownKey = 'key-2';

    const demo = await seed();

    expect(demo.wholesaler?.apiKey).toBe('key-2');
    expect(calls.slice(1).map(({ line }) => line)).toEqual(STEPS);
  });
});

function seed() {
  const { port } = server.address() as AddressInfo;
  const options = { baseUrl: `http://127.0.0.1:${port}`, opsKey: 'ops', dataDir };
  return seedDemo(options, new AbortController().signal);
}

function answerTo(line: string, key: string | undefined): [number, unknown] {
  if (line === failing) return [500, {}];
  if (line === waiting) return [202, { changeRequestId: 'c', status: 'pending' }];
  if (line.startsWith('GET')) return [key === knownKey ? 404 : 401, {}];
  if (line.endsWith('/customers')) {
    const externalIds = ['tienda-001', 'tienda-002', 'tienda-003'];
    return [
      201,
      { customers: externalIds.map((id) => ({ externalId: id, cornerStoreId: `store-${id}` })) },
    ];
  }
  if (line.endsWith('/wholesalers')) return [201, { wholesalerId: 'w', apiKey: knownKey }];
  return [200, {}];
}
