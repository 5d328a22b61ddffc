import { valuesIn } from './plans/record-statements';

it('reads the values of a logged statement, with the quotes in them', () => {
  expect(valuesIn(`parameters: $1 = 'it''s $2 = ''one''', $2 = NULL, $3 = ''`)).toEqual([
    `'it''s $2 = ''one'''`,
    'NULL',
    `''`,
  ]);
});

it('reads a value of ten million characters', () => {
  const long = `'${'a'.repeat(10_000_000)}'`;
  const values = valuesIn(`parameters: $1 = ${long}, $2 = '7'`);
  expect(values.map(({ length }) => length)).toEqual([long.length, 3]);
});
