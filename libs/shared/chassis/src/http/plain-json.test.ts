import { ValidationError } from '@fiado/contracts/errors';
import { checkPlainJson, checkValueCount } from './plain-json';

function problemsOf(json: string): string[] {
  try {
    checkPlainJson(JSON.parse(json));
    return [];
  } catch (error) {
    return error instanceof ValidationError ? error.problems : [String(error)];
  }
}

it('lets ordinary bodies through', () => {
  expect(problemsOf('{"a":[1,null,{"b":"ñ 🛒"}],"c":true}')).toEqual([]);
});

it.each([
  ['{"a":"x\\u0000"}', 'a must be well-formed text without NUL'],
  ['{"a":["ok","\\ud800"]}', 'a.1 must be well-formed text without NUL'],
  ['{"\\u0000":1}', '\0 must be well-formed text without NUL'],
  ['{"a":{"__proto__":{"x":1}}}', 'a.__proto__ is not allowed as a key'],
  ['{"constructor":1}', 'constructor is not allowed as a key'],
])('refuses %s', (json, problem) => {
  expect(problemsOf(json)).toEqual([problem]);
});

it('refuses deep nesting without exhausting the stack', () => {
  expect(problemsOf(`${'['.repeat(3000)}${']'.repeat(3000)}`)[0]).toContain('nested deeper');
});

it('refuses more values than the route takes, without visiting them', () => {
  const wide = `[${'0,'.repeat(60_000)}0]`;
  expect(problemsOf(wide)).toEqual(['body must hold at most 12500 values']);
  expect(() => checkPlainJson(JSON.parse(wide), 60_002)).not.toThrow();

  const visited = jest.fn(() => 0);
  const element = Object.defineProperty({}, 'field', { get: visited, enumerable: true });
  expect(() => checkPlainJson(Array.from({ length: 20_000 }, () => element))).toThrow(
    'Bad Request',
  );
  expect(visited).not.toHaveBeenCalled();
});

it('refuses more objects and arrays than a third of the values', () => {
  expect(problemsOf(`[${'{},'.repeat(5_000)}{}]`)).toEqual([
    'body must hold at most 4167 objects and arrays',
  ]);
});

it('refuses an object of more fields than class-transformer can compare quickly', () => {
  const fields = Array.from({ length: 3_001 }, (_, i) => `"k${i}":0`).join(',');
  expect(problemsOf(`{"a":{${fields}}}`)).toEqual(['a must have at most 3000 fields']);
});

describe('a name that stands twice in one object', () => {
  const check = (json: string) => () => {
    checkPlainJson(JSON.parse(json), 1_000, checkValueCount(Buffer.from(json), 1_000));
  };

  it.each([
    '{"a":1,"a":1}',
    '{"a":{},"b":[],"a":{}}',
    '{"a":[{"b":[1,2],"b":[1,2]}]}',
    '{"a":1,"\\u0061":2}',
    '[[],{"a":[],"a":[]},[]]',
  ])('%s is refused', (json) => {
    expect(check(json)).toThrow(
      expect.objectContaining({ problems: ['body must not hold a name twice in one object'] }),
    );
  });

  it.each([
    '{}',
    '[]',
    '[[],{},[{}]]',
    '{"a":{"a":{"a":[]}},"b":[{"a":1},{"a":2}]}',
    '{"a":",[{","b":"\\"","A":[[],[0,null],{"":{}}]}',
  ])('%s is let through', (json) => {
    expect(check(json)).not.toThrow();
  });
});

describe('before parsing', () => {
  const check = (json: string) => () => checkValueCount(Buffer.from(json), 1_000);

  it.each([
    ['commas', `[${'0,'.repeat(3_000)}0]`],
    ['arrays', '['.repeat(3_000)],
    ['objects', '{"a":'.repeat(3_000)],
    ['objects in a list', `[${'{},'.repeat(3_000)}{}]`],
    ['commas after a text with escapes', `["\\\\","\\"",${'0,'.repeat(3_000)}0]`],
  ])('a body of too many %s is refused', (_what, json) => {
    expect(check(json)).toThrow('Bad Request');
  });

  it.each([
    ['a long text of separators', JSON.stringify({ a: ',[{'.repeat(100_000) })],
    ['a text with escaped quotes', JSON.stringify({ a: '",[{\\'.repeat(100_000) })],
    ['as many values as are allowed', `[${'0,'.repeat(997)}0]`],
    ['as many objects as are allowed', `[${'{},'.repeat(997)}{}]`],
  ])('%s is let through', (_what, json) => {
    expect(check(json)).not.toThrow();
  });
});
