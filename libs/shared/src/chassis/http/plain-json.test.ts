import { ValidationError } from '../../contracts/errors';
import { checkPlainJson } from './plain-json';

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

it('refuses more values than any body of the API has', () => {
  expect(problemsOf(`[${'0,'.repeat(60_000)}0]`)[0]).toContain('at most 50000 values');
});
