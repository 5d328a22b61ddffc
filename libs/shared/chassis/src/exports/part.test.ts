import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { textOfRows } from './part';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n", ;a1_.:/'.split('')) }),
);
const value = fc.oneof(
  text,
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constant(null),
);

it('a CSV is what csv-stringify makes of the same rows', () => {
  const columns = ['one', 'two', 'three'];
  const row = fc.record({ one: value, two: value, three: value });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const expected = stringify(rows, {
        columns,
        escape_formulas: true,
        cast: { boolean: String, date: (date) => date.toISOString() },
      });
      expect(textOfRows(rows, { format: 'csv', columns })).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});
