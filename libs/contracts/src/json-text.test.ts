import * as fc from 'fast-check';
import { JsonText, jsonTextOf, mayLoseDigits, rememberNumbers, stringifyJson } from './json-text';

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
