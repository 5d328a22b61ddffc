import { gzipSync } from 'node:zlib';
import {
  array,
  constant,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { anyCharacter } from '../../support/any-character';

/** A request of the fuzzer: a body as text or JSON, and what is odd about its headers. */
export interface FuzzedRequest {
  body: string;
  headers: Record<string, string>;
}

type Json = ReturnType<typeof JSON.parse>;

const MOST = Number.MAX_SAFE_INTEGER;
const NUMBERS = [0, -0, -1, 0.1, 0.001, 1e-7, 1e21, 1e308, 99_999_999.99, 100_000_000.01, MOST];

/** Values that have broken parsers, databases and arithmetic before. */
const NASTY: Json[] = [
  null,
  '',
  ' ',
  '\0',
  '\ud800',
  '💸'.repeat(50),
  'a'.repeat(5_000),
  "'; DROP TABLE transactions; --",
  '__proto__',
  '../../etc/passwd',
  '%00',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '-271821-04-20T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ...NUMBERS,
  true,
  false,
  [],
  [[]],
  {},
  [null],
  { length: 3 },
  { toString: 'x', valueOf: 1 },
];

/** Texts at the edges of calendars, time zones and of the dates that JavaScript and Postgres know. */
const EDGE_DATES = [
  '0000-01-01',
  '0000-01-01 00:00:00.000',
  '0001-01-01',
  '0001-01-01T00:00:00+14:00',
  '1582-10-10',
  '1969-12-31T23:59:59Z',
  '2026-11-20T24:00:00',
  '2026-12-31T23:59:60Z',
  '2027-02-29',
  '2028-02-29',
  '2028-02-29T10:00:00+23:59',
  '9999-12-31',
  '9999-12-31 23:59:59.999',
  '9999-12-31T23:59:59.999999999-14:00',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '294277-01-01',
  '-000001-01-01T00:00:00Z',
];

const nasty = constantFrom(...NASTY);
const anyValue = oneof({ weight: 3, arbitrary: nasty }, { weight: 1, arbitrary: jsonValue() });

/** A valid body with one to three of its values, at any depth, exchanged, removed or doubled. */
function mutated(valid: Json): Arbitrary<Json> {
  const mutation = record({
    where: array(nat(20), { minLength: 1, maxLength: 5 }),
    how: constantFrom('exchange', 'exchange', 'remove', 'add', 'nest'),
    value: anyValue,
    name: oneof(constantFrom('__proto__', 'constructor', 'toString', 'id'), string()),
  });
  return array(mutation, { minLength: 1, maxLength: 3 }).map((mutations) =>
    mutations.reduce(mutate, structuredClone(valid)),
  );
}

interface Mutation {
  where: number[];
  how: string;
  value: Json;
  name: string;
}

function mutate(root: Json, { where, how, value: shared, name }: Mutation): Json {
  // A later mutation may change it: the list above is for all requests.
  const value = structuredClone(shared);
  const holder = { root };
  let parent: Json = holder;
  let key = 'root';
  for (const step of where) {
    const child = parent[key];
    if (typeof child !== 'object' || child === null || Object.keys(child).length === 0) break;
    const names = Object.keys(child);
    parent = child;
    key = names[step % names.length] as string;
  }
  if (how === 'remove' && parent !== holder) delete parent[key];
  else if (how === 'nest') parent[key] = [parent[key]];
  else if (how === 'add' && typeof parent[key] === 'object' && parent[key] !== null) {
    // An assignment to __proto__ would not make a field of that name.
    const field = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(parent[key], name, field);
  } else parent[key] = value;
  return holder.root;
}

const DATE = /^\d{4}-\d{2}-\d{2}/;

/** A valid body with each of its dates exchanged for one at an edge, or removed. */
function redated(valid: Json): Arbitrary<Json> {
  const dates = array(constantFrom(undefined, ...EDGE_DATES), { minLength: 2, maxLength: 5 });
  return dates.map((chosen) => {
    let next = 0;
    return JSON.parse(JSON.stringify(valid), (_name, value) =>
      typeof value === 'string' && DATE.test(value) ? chosen[next++ % chosen.length] : value,
    );
  });
}

/** Texts that are no JSON, or JSON that is cut, doubled or too deep. */
function garbage(valid: Json): Arbitrary<string> {
  const text = JSON.stringify(valid ?? {});
  return oneof(
    string({ unit: anyCharacter }),
    nat(text.length).map((length) => text.slice(0, length)),
    constantFrom(
      text + text,
      `\ufeff${text}`,
      `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      '{"a":'.repeat(2_000),
      `{"metadata":{"x":"${'x'.repeat(20_000)}"}}`,
      `"${'x'.repeat(150_000)}"`,
      gzipSync(text).toString('latin1'),
      'NaN',
      '1e999',
      '{"__proto__":{"polluted":true}}',
    ),
  );
}

const headers = oneof(
  { weight: 6, arbitrary: constant({}) },
  {
    weight: 1,
    arbitrary: constantFrom<Record<string, string>>(
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json; charset=klingon' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-encoding': 'identity, identity' },
      { 'idempotency-key': '' },
      { 'idempotency-key': 'k'.repeat(256) },
      { 'idempotency-key': 'é\u00a0' },
      { 'idempotency-key': 'always the same' },
      { 'x-request-id': 'x'.repeat(500) },
      { 'x-request-id': '{"a":1}' },
      { accept: 'application/xml' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-fiado-caller': 'e30.e30' },
      { 'if-none-match': '*', range: 'bytes=0-1' },
    ),
  },
);

/** Requests around a valid body: mutations of it, any JSON, and what is no JSON at all. */
export function fuzzedRequests(valid: Json): Arbitrary<FuzzedRequest> {
  const body = oneof(
    { weight: 6, arbitrary: mutated(valid).map(toJson) },
    { weight: 1, arbitrary: redated(valid).map(toJson) },
    { weight: 1, arbitrary: anyValue.map(toJson) },
    { weight: 2, arbitrary: garbage(valid) },
  );
  return record({ body, headers });
}

function toJson(value: Json): string {
  return JSON.stringify(value) ?? '';
}
