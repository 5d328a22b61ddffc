import * as fc from 'fast-check';
import {
  canonicalJson,
  JsonText,
  jsonTextOf,
  mayLoseDigits,
  rememberNumbers,
  stringifyJson,
} from './json-text';

/** The text of the metadata after a body was read. */
function kept(body: string): string {
  const json = JSON.parse(body) as { metadata: object };
  if (mayLoseDigits(body)) rememberNumbers(json, body);
  return jsonTextOf(json.metadata);
}

it.each([
  '{"folio":12345678901234567890}',
  '{"folio":-9007199254740993,"n":[1,0.12345678901234567890,10.50,-0,1e400]}',
  '{"text":"12345678901234567890 \\"9007199254740993\\" \\\\","a":{"b":[9007199254740993]}}',
  '{"metadata":9007199254740993,"ñ":"é"}',
  '{"short":1}',
])('keeps the numbers of %s', (text) => {
  expect(kept(`{"metadata": ${text}}`)).toBe(text);
});

it('keeps those of each item of a batch, and of the last of two fields of one name', () => {
  const body =
    '{"metadata":{"a":1},"items":[{"metadata":{"a":11111111111111111111}},{"metadata":null}],"metadata":{"a":22222222222222222222}}';
  const json = JSON.parse(body);
  rememberNumbers(json, body);
  expect(jsonTextOf(json.items[0].metadata)).toBe('{"a":11111111111111111111}');
  expect(jsonTextOf(json.metadata)).toBe('{"a":22222222222222222222}');
});

it('reads only texts with a long number twice', () => {
  expect(mayLoseDigits('{"id":"4e123456-1234-4123-8123-123456789012","n":123456789012.75}')).toBe(
    false,
  );
  expect(mayLoseDigits('{"n":[ 1234567890123456]}')).toBe(true);
  expect(mayLoseDigits('{"n":1E+400}')).toBe(true);
});

it('any JSON comes back as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
      const body = JSON.stringify({ metadata });
      const json = JSON.parse(body);
      rememberNumbers(json, body);
      expect(jsonTextOf(json.metadata)).toBe(JSON.stringify(json.metadata));
    }),
  );
});

it('an answer holds the texts in their places', () => {
  const [one, two] = [new JsonText('{"n":11111111111111111111}'), new JsonText('{"$&":"$1"}')];
  expect(stringifyJson({ list: [{ one }, { two, text: '\\u0000' }] })).toBe(
    '{"list":[{"one":{"n":11111111111111111111}},{"two":{"$&":"$1"},"text":"\\\\u0000"}]}',
  );
  expect(JSON.stringify({ two })).toBe('{"two":{"$&":"$1"}}');
});

describe('canonicalJson', () => {
  const of = (text: string): string => canonicalJson(JSON.parse(text), text);

  it.each([
    ['white space', '{"a":[1,2]}', ' { "a" : [ 1 ,\n2 ] } '],
    ['the order of fields, at any depth', '{"a":{"b":1,"c":2},"d":3}', '{"d":3,"a":{"c":2,"b":1}}'],
    ['escapes', '{"a":"a/ñ"}', '{"\\u0061":"\\u0061\\/\\u00f1"}'],
    ['a repeated field, of which the last counts', '{"a":2}', '{"a":1,"a":2}'],
    ['zeros behind a number', '{"a":500}', '{"a":500.00}'],
    ['an exponent', '{"a":500}', '{"a":5E+2}'],
    ['many zeros', '{"a":500}', '{"a":500.0000000000000000000000}'],
    ['zero and its sign', '{"a":0}', '{"a":-0.0e7}'],
    ['a long number', '{"a":12345678901234567890}', '{"a":1.2345678901234567890e19}'],
    ['a small one', '{"a":0.000000001}', '{"a":1e-9}'],
    ['zeros of an exponent', '{"a":1e2}', '{"a":1e000000000000000000000002}'],
  ])('%s makes no difference', (_what, one, other) => {
    expect(of(other)).toBe(of(one));
  });

  it.each([
    ['the last digit of a long number', '[12345678901234567890]', '[12345678901234567891]'],
    ['a digit beyond doubles', '[0.1]', '[0.1000000000000000055511151231257827]'],
    ['numbers that no double holds', '[1e400]', '[1e401]'],
    ['huge exponents', '[1e99999999999999999999]', '[1e99999999999999999998]'],
    ['a number and its text', '[500]', '["500"]'],
    ['a number as text, of many digits', '[12345678901234567890]', '["12345678901234567890"]'],
    ['the order of a list', '[1,2]', '[2,1]'],
    ['null and nothing', '{"a":null}', '{}'],
    ['a sign', '[1]', '[-1]'],
    ['case', '{"a":1}', '{"A":1}'],
  ])('%s makes a difference', (_what, one, other) => {
    expect(of(other)).not.toBe(of(one));
  });

  it('a number of a million digits is compared in no time worth mentioning', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(of(`[1${zeros}]`)).toBe('[1e1000000]');
    expect(of(`[1${zeros}1]`)).toBe(`[1${zeros}1e0]`);
  });
});
