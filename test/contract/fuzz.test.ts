import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sample, array, constantFrom, oneof, record, string, type Arbitrary } from 'fast-check';
import type { Answer } from '@fiado/chassis/testing/call';
import { childrenOf } from '../e2e/support/system';
import {
  documentedRoutes,
  isDocumentedBody,
  parametersOf,
  type DocumentedRoute,
} from './support/conformance';
import { freshTarget, targetToRead, type FuzzTarget } from './support/fuzz-targets';
import { fuzzedRequests, type FuzzedRequest } from './support/fuzzed-requests';
import { sharedSystem } from '../e2e/support/shared-system';
import { callOf } from './support/operation-inputs';
import { RowCounter } from './support/row-counts';
import { buildWorld, type World } from './support/world';

/** Values that have broken parsers, databases and dates before, as they stand in a URL. */
const NASTY = [
  '',
  '%20',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%F0%9F%92%B8',
  '%5B%5D',
  'a'.repeat(3_000),
  '%27%3B%20DROP%20TABLE%20orders',
  '%25%5F%5C',
  '__proto__',
  '-1',
  '0',
  '1e400',
  '0x10',
  '99999999999999999999',
  '9223372036854775808',
  'NaN',
  'true',
  'null',
  '2026-02-30',
  '0000-01-01',
  '-271821-04-20T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '%2B275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'eyJhIjoxfQ',
];

/** Queries of one to four parameters: right ones, odd ones, some of them doubled or nested. */
function fuzzedQueries(parameters: { name: string; example: string }[]): Arbitrary<string> {
  const right = parameters.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  const names = [...parameters.map(({ name }) => name), 'unknown', '__proto__'];
  const odd = record({
    name: constantFrom(...names),
    form: constantFrom('', '', '', '[]', '[a]', '[0][1]'),
    value: oneof(
      { weight: 3, arbitrary: constantFrom(...NASTY) },
      { weight: 1, arbitrary: string({ unit: 'grapheme' }).map(encodeURIComponent) },
    ),
  }).map(({ name, form, value }) => `${name}${form}=${value}`);
  const part = right.length === 0 ? odd : oneof(odd, constantFrom(...right));
  return array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('&'));
}

/** Bodies for each endpoint that `npm test` sends, always the same ones. */
const FIXED_RUNS = 5;
const FIXED_SEED = 1;
/** More of them, and other ones each time: the gate takes some, `npm run fuzz` 5,000. */
const { FUZZ_RUNS } = process.env;
const RUNS = Number(FUZZ_RUNS ?? FIXED_RUNS);
/** Queries for each endpoint that reads. */
const QUERIES = Math.ceil(RUNS / 3);
/** Said in every run's output: FUZZ_SEED=… repeats it. */
const SEED = Number(
  process.env.FUZZ_SEED ?? (FUZZ_RUNS === undefined ? FIXED_SEED : randomInt(2 ** 31)),
);
const PARALLEL = 12;

interface Sent {
  request: FuzzedRequest;
  answer: Answer;
}

const system = sharedSystem();
let world: World;
let counter: RowCounter;
let pids: number[];
beforeAll(async () => {
  process.stdout.write(`FUZZ_SEED=${SEED}, ${RUNS} bodies for each endpoint\n`);
  world = await buildWorld(system);
  counter = await RowCounter.open(system.databaseUrl);
  pids = childrenOf(system.supervisorPid);
});
afterAll(async () => {
  await counter.close();
});

/** As the answer's Retry-After says. */
const RETRY_AFTER_MS = 1_000;

/** Sends them, a dozen at a time on their way. */
async function sendAll(
  route: DocumentedRoute,
  { key, ids }: FuzzTarget,
  requests: FuzzedRequest[],
): Promise<Sent[]> {
  const { method, path } = callOf(route, ids);
  const query = `?paymentProviderName=${encodeURIComponent(world.provider.name)}`;
  const url = route.operation.operationId === 'recordDeposit' ? path + query : path;
  const sent: Sent[] = [];
  const waiting = requests.values();
  const sendNext = async () => {
    for (const request of waiting) {
      const ask = () =>
        system.call(key, method, url, {
          ...(request.body === '' ? {} : { body: request.body }),
          headers: request.headers,
        });
      let answer = await ask();
      // A busy machine may answer 503 once. A body at fault would get it again.
      if (answer.status === 503) {
        await sleep(RETRY_AFTER_MS);
        answer = await ask();
      }
      sent.push({ request, answer });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, sendNext));
  return sent;
}

function isAccepted({ answer }: Sent): boolean {
  return answer.status < 300;
}

/** A failure with everything that is needed to repeat it. */
function told(route: DocumentedRoute, { request, answer }: Sent): string {
  const { body, headers } = request;
  return `${route.operation.operationId} ${JSON.stringify(headers)} ${body.slice(0, 1_000)}
    -> ${answer.status} ${answer.text.slice(0, 300)}`;
}

/** An accepted body that the document does not take. */
function isUndocumented(route: DocumentedRoute, { request }: Sent): boolean {
  if (request.body === '' || Object.keys(request.headers).length > 0) return false;
  // The API overlooks a byte order mark, as fetch does, and fields that every object has.
  const body = JSON.parse(request.body.replace(/^\ufeff/, ''), (name, value) =>
    name in Object.prototype ? undefined : value,
  );
  return !isDocumentedBody(route, body);
}

/** The requests that each endpoint refused, for the test that repeats them. */
const refusals: { route: DocumentedRoute; target: FuzzTarget; requests: FuzzedRequest[] }[] = [];

const written = documentedRoutes.filter(({ method }) => method === 'post' || method === 'put');

describe.each(
  written.map((route, index): [string, DocumentedRoute, number] => [
    route.operation.operationId,
    route,
    SEED + index,
  ]),
)('%s', (_id, route, seed) => {
  it(`answers ${RUNS} odd bodies without a fault`, async () => {
    const target = await freshTarget(world, route);
    const { body } = callOf(route, target.ids);
    const requests = sample(fuzzedRequests(body ?? {}), { numRuns: RUNS, seed });

    const sent = await sendAll(route, target, requests);
    const faults = sent.filter(({ answer }) => answer.status >= 500);
    expect(faults.map((one) => told(route, one))).toEqual([]);
    if (route.operation.requestBody !== undefined) {
      const liberal = sent.filter((one) => isAccepted(one) && isUndocumented(route, one));
      expect(liberal.map((one) => told(route, one))).toEqual([]);
    }

    const statuses = sent.map(({ answer }) => answer.status);
    const tally = [...new Set(statuses)].map(
      (status) => `${statuses.filter((one) => one === status).length} × ${status}`,
    );
    process.stdout.write(`${route.operation.operationId}: ${tally.join(', ')}\n`);

    const refused = sent.filter((one) => !isAccepted(one)).map(({ request }) => request);
    refusals.push({ route, target, requests: refused });
  }, 600_000);
});

it('a refused request is refused again, and writes no row but that of its refusal', async () => {
  const before = await counter.quiet();
  const accepted: string[] = [];
  for (const { route, target, requests } of refusals) {
    const again = await sendAll(route, target, requests);
    accepted.push(...again.filter(isAccepted).map((one) => told(route, one)));
  }
  expect(accepted).toEqual([]);
  const after = await counter.quiet();
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  expect(changed.map((table) => `${table}: ${before[table]} -> ${after[table]}`)).toEqual([]);
}, 600_000);

const read = documentedRoutes.filter(({ method }) => method === 'get');

it.each(
  read.map((route, index): [string, DocumentedRoute, number] => [
    route.operation.operationId,
    route,
    SEED + index,
  ]),
)(
  '%s answers odd queries without a fault',
  async (_id, route, seed) => {
    const { key, ids } = await targetToRead(world, route);
    const { path } = callOf(route, ids);
    const queries = sample(fuzzedQueries(parametersOf(route, 'query')), { numRuns: QUERIES, seed });

    const faults: string[] = [];
    for (const query of queries) {
      const answer = await system.call(key, 'GET', `${path}?${query}`);
      if (answer.status >= 500) faults.push(`${query} -> ${answer.status} ${answer.text}`);
    }
    expect(faults).toEqual([]);
  },
  600_000,
);

it('every process is the one that it was', () => {
  expect(childrenOf(system.supervisorPid)).toEqual(pids);
});
