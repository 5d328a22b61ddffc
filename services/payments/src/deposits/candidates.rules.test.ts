import { rankPossible, similarReferences } from './candidates.rules';

/** An idFactura with its check digit. */
const ID = '4829105736423';

const near = (idFactura: string, numeroReferencia = '') =>
  similarReferences({ idFactura, numeroReferencia })
    .filter(({ kind }) => kind === 'idFactura')
    .map(({ reference }) => reference);

it('a text resembles the references that are one slip away', () => {
  expect(near('4829105736428')).toContain(ID); // a wrong digit
  expect(near('4829105763423')).toContain(ID); // two swapped
  expect(near('482910576423')).toContain(ID); // one missing
  expect(near('48291057736423')).toContain(ID); // one twice
  expect(near('', '4829-1057 36428')).toContain(ID); // in the other field
});

it('a text resembles few references, and none that is two slips away', () => {
  expect(near('4829105736482').length).toBeLessThan(40);
  expect(near('4829105736491')).not.toContain(ID);
  expect(near(ID)).not.toContain(ID);
});

it.each(['', 'sin factura', '4829', '9'.repeat(1_000), '48291057364x3'])(
  'the text %s resembles nothing',
  (text) => {
    expect(near(text)).toEqual([]);
  },
);

it.each([
  ['4829105736428', 'a wrong digit'],
  ['4829105763423', 'two swapped'],
  ['482910576423', 'one missing'],
  ['48291057736423', 'one twice'],
  ['4829-1057 36428', 'in groups'],
])('a deposit with the text %s may be that of the store: %s', (numeroReferencia) => {
  const deposits = [{ idFactura: '', numeroReferencia, valorCents: 1, receivedAt: new Date(0) }];
  const own = { references: [ID], debtsCents: [500] };
  expect(rankPossible(deposits, own)).toMatchObject([{ reasons: ['similar-reference'] }]);
  const far = deposits.map((one) => ({ ...one, numeroReferencia: '4829105736491' }));
  expect(rankPossible(far, own)).toEqual([]);
});
