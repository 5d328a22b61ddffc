import { systemClock } from '@fiado/contracts/clock';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { servedRoutes } from '../../../../scripts/served-routes';
import { Database } from '../src/db/database';
import { query } from '../src/db/query';
import { endpoint, routesOf, type Endpoint, type Route } from '../src/http/endpoint';
import { closeServer, portOf, serve } from '../src/http/server';
import { storeAnswer, type StoreAnswer } from '../src/idempotency';
import { type Caller, INTERNAL_TOKEN_HEADER } from '@fiado/contracts/caller';
import { InternalTokens } from '../src/keys/internal-token';
import { createLogger } from '../src/logger';
import { ops, provider, wholesaler } from '../src/testing/callers';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';
import { inFlight } from '../src/testing/in-flight';
import { testProcessKeys } from '../src/testing/process-keys';

const SPELLINGS = 20;

interface Counted {
  n: number;
}

let database: TestDatabase;
let db: Database;
let server: Server;
/** Effects that were tried, of which some are rolled back. */
let tries = 0;

const idempotent = Object.values(servedRoutes)
  .flat()
  .filter(({ operation }) => operation?.idempotent === true);

/** The endpoint with its own reading of a request, whose effect is to count. */
function counted({ operation }: Route): Endpoint<{ db: Database }> {
  const definition = operation as never as Parameters<typeof endpoint>[0];
  return endpoint({
    ...definition,
    answerSealer: undefined as never,
    headers: undefined as never,
    refusedItems: undefined as never,
    onError: undefined as never,
    handle: async (_context, _input, answerOf) => {
      const result: Counted = { n: (tries += 1) };
      await db.transaction((tx) => storeAnswer(tx, (answerOf as StoreAnswer<Counted>)(result)));
      return result;
    },
    present: (result) => result as never,
  });
}

beforeAll(async () => {
  const schema = { name: 'idempotency_test', migrations: [] };
  database = await createTestDatabase(schema);
  db = Database.open(schema, database.connection, () => {});
  const context = { db, clock: systemClock, config: { TIME_ZONE: 'America/Mexico_City' } };
  server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes: routesOf(idempotent.map(counted), context),
    open: (_req, _res, next) => next(),
    tokens: new InternalTokens(testProcessKeys('transactions')),
    log: createLogger('transactions', 'silent'),
  });
});
afterAll(async () => {
  await closeServer(server);
  await db.close();
  await database.drop();
});

/** Effects that were committed, each with its answer. */
async function effects(): Promise<number> {
  const [row] = await query<{ n: number }>(
    db,
    'SELECT count(*)::integer AS n FROM idempotency_keys',
  );
  return row?.n ?? 0;
}

const gateway = new InternalTokens(testProcessKeys('gateway'));

interface Call {
  method: string;
  path: string;
  search: string;
  body: string;
  key: string;
  caller: Caller;
}

async function send({ method, path, search, body, key, caller }: Call): Promise<string> {
  const token = await gateway.sign('transactions', caller);
  const response = await fetch(`http://127.0.0.1:${portOf(server)}${path}${search}`, {
    method: method.toUpperCase(),
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      [INTERNAL_TOKEN_HEADER]: token,
    },
    body,
  });
  return `${response.status} ${await response.text()}`;
}

/** A path of the route with these parameters. */
function pathOf({ path }: Route, params: Record<string, string> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => params[name] ?? 'of-the-caller');
}

/** Another spelling of a path: each bit of `spelling` is a way to write it. */
function spelledPath(path: string, spelling: number): string {
  const [head = '', ...ids] = path.split(/(?<=\/)(?=[0-9a-f]{8}-|of-the-caller)/);
  const spelledIds = ids.map((id) => {
    const isUuid = /^[0-9a-f]{8}-/.test(id);
    const cased =
      isUuid && (spelling & 1) > 0 ? id.replace(/^[0-9a-f-]{36}/, (u) => u.toUpperCase()) : id;
    return (spelling & 2) > 0 ? `%${cased.charCodeAt(0).toString(16)}${cased.slice(1)}` : cased;
  });
  return [head, ...spelledIds].join('') + ((spelling & 4) > 0 ? '/' : '');
}

/** Another spelling of a JSON text. */
function spelledBody(body: string, spelling: number): string {
  const spaced = (spelling & 8) > 0 ? JSON.stringify(JSON.parse(body), null, 2) : body;
  const turned = (spelling & 1) > 0 ? JSON.stringify(turn(JSON.parse(spaced))) : spaced;
  const escaped =
    (spelling & 2) > 0
      ? turned.replace(/"(\w)/, (_all, c: string) => `"\\u00${c.charCodeAt(0).toString(16)}`)
      : turned;
  return (spelling & 4) > 0 ? escaped.replaceAll(/(":\s?)(\d+)(?=[,}\s])/g, '$1$2.000') : escaped;
}

/** With the fields of each object in the opposite order. */
function turn(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(turn);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .toReversed()
      .map(([name, value]) => [name, turn(value)]),
  );
}

function callerOf({ allow }: Route): Caller {
  if (allow.includes('wholesaler')) return wholesaler();
  return allow.includes('provider') ? provider('STP') : ops();
}

/** A call of the endpoint that it accepts. */
function callOf(route: Route): Call {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(
    names.filter((name) => name !== 'externalId').map((name) => [name, randomUUID()]),
  );
  const caller = callerOf(route);
  const hasQuery = (route.operation as Partial<Parameters<typeof endpoint>[0]>).query !== undefined;
  return {
    method: route.method,
    path: pathOf(route, params),
    search: hasQuery ? `?paymentProviderName=${caller.name}` : '',
    body: JSON.stringify(route.operation?.bodyExample ?? {}),
    key: randomUUID(),
    caller,
  };
}

it.each(idempotent.map((route) => [route.operation?.id, route] as const))(
  `%s: ${SPELLINGS} spellings of a request at once have one effect under one key`,
  async (_id, route) => {
    const call = callOf(route);
    const before = await effects();
    const answers = await inFlight(
      Array.from({ length: SPELLINGS }, (_, spelling) => () => {
        const path = spelledPath(call.path, spelling);
        return send({ ...call, path, body: spelledBody(call.body, spelling) });
      }),
      SPELLINGS,
    );
    expect(new Set(answers)).toEqual(new Set([answers[0]]));
    expect(answers[0]).toMatch(/^20[012] \{"n":\d+\}$/);
    expect(await effects()).toBe(before + 1);
  },
);

describe('one key', () => {
  const link = idempotent.find(
    ({ operation }) => operation?.id === 'createTransactionLink',
  ) as Route;

  it('of another object or another text is another request', async () => {
    const call = callOf(link);
    const answers = [
      await send(call),
      await send({ ...call, path: call.path.replace('of-the', 'Of-The') }),
      await send({ ...call, path: call.path.replace('of-the', 'of%2Fthe') }),
      await send({ ...call, caller: wholesaler() }),
    ];
    expect(new Set(answers).size).toBe(answers.length);
  });

  it('counts however it is spelled, and must be UTF-8', async () => {
    const call = callOf(link);
    const key = `\u00d1-${randomUUID()}`;
    // As bytes of a header, which fetch takes as Latin-1.
    const asHeader = (text: string) => Buffer.from(text).toString('latin1');
    const spellings = [key, key.normalize('NFD'), `\u200b${key}\ufeff`];
    const answers: string[] = [];
    for (const spelling of spellings) {
      answers.push(await send({ ...call, key: asHeader(spelling) }));
    }
    expect(new Set(answers).size).toBe(1);
    expect(await send({ ...call, key })).toMatch(/^400 .*Idempotency-Key must be UTF-8/);
    expect(await send({ ...call, key: asHeader('\u200b') })).toMatch(/^400 .*a visible character/);
  });

  it('with another body is refused', async () => {
    const call = callOf(link);
    await send(call);
    const body = call.body.replace(/}$/, ',"note":12345678901234567}');
    expect(await send({ ...call, body })).toMatch(/^422 .*IDEMPOTENCY_KEY_REUSED/);
  });
});
