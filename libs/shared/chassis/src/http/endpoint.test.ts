import { constant, listOf, noContent, object, text } from '../openapi/json-schema';
import type { Database } from '../db/database';
import { endpoint } from './endpoint';

interface Context {
  db: Database;
}

const common = {
  id: 'getThing',
  tag: 'Payments',
  route: 'GET /v1/thing/:thingId',
  scope: 'payments:read',
  names: { thingId: 'order' },
  summary: 'Get a thing',
  errors: ['DEPOSIT_NOT_FOUND'],
  handle: async (_context: Context, lines: string[]) => lines,
} as const;

const answer = object('Thing', {
  state: constant('open'),
  lines: listOf(object('Line', { name: text, note: text }, ['note'])),
});

// The compiler runs these tests: `tsc -b` fails if an expected error does not occur.
it('a presenter that returns the fields of the schema compiles', () => {
  const { path } = endpoint({
    ...common,
    answer,
    input: ({ id }) => [id('thingId', 'DEPOSIT_NOT_FOUND')],
    present: (lines) => ({ state: 'open', lines: lines.map((name) => ({ name })) }),
  });
  endpoint({ ...common, answer: noContent, input: () => [], present: () => undefined });
  expect(path).toBe('/v1/thing/:thingId');
});

it('a presenter that forgets, changes or adds a field does not compile, nested or by a spread', () => {
  const input = (): string[] => [];
  // @ts-expect-error: lines is missing
  endpoint({ ...common, answer, input, present: () => ({ state: 'open' }) });
  // @ts-expect-error: a state that the schema does not name
  endpoint({ ...common, answer, input, present: () => ({ state: 'closed', lines: [] }) });
  // @ts-expect-error: an unknown field
  endpoint({ ...common, answer, input, present: () => ({ state: 'open', lines: [], secret: 1 }) });
  const row = { name: 'one', secret: 1 };
  const lines = [{ ...row }];
  // @ts-expect-error: an unknown field of each line
  endpoint({ ...common, answer, input, present: () => ({ state: 'open', lines }) });
  expect(lines).toHaveLength(1);
});

it('an endpoint reads only the parameters of its path, and answers only the codes it names', () => {
  const present = () => undefined;
  // @ts-expect-error: the path has no otherId
  endpoint({ ...common, answer: noContent, input: ({ text: read }) => [read('otherId')], present });
  const { path } = endpoint({
    ...common,
    answer: noContent,
    // @ts-expect-error: the code is not among its errors
    input: ({ id }) => [id('thingId', 'INVOICE_NOT_FOUND')],
    present,
  });
  expect(path).toBe('/v1/thing/:thingId');
});

it('an endpoint of wholesalers that does not tell what its path names does not compile', () => {
  const of = { ...common, answer: noContent, input: () => [], present: () => undefined } as const;
  // @ts-expect-error: thingId is not named
  const { path } = endpoint({ ...of, names: {} });
  endpoint({ ...of, scope: 'viewer' });
  expect(path).toBe('/v1/thing/:thingId');
});
