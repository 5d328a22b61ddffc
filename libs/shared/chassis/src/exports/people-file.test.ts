import { addedTotals, NO_TOTALS, type PeopleFile, peopleWriter } from './people-file';

const STATE = { field: 'state', heading: 'Estado', words: { paid: 'Pagado' } };
const FILE: PeopleFile = {
  name: 'pedidos',
  columns: [
    { field: 'key', heading: 'Cliente' },
    STATE,
    { field: 'at', heading: 'Fecha', kind: 'time' },
    { field: 'day', heading: 'Vence', kind: 'day' },
    { field: 'amount', heading: 'Total', kind: 'amount' },
  ],
  sumsBy: STATE,
};
const writer = peopleWriter(FILE, 'America/Tijuana');

it('a file for people has Spanish headings, local times, words, two decimals, and sums at its end', () => {
  const rows = [
    { key: 'CLI-1', state: 'paid', at: new Date('2026-11-23T07:05:00Z'), day: null, amount: 0.1 },
    { key: null, state: 'new', at: '2026-07-01T06:59:59Z', day: '2026-12-07', amount: 1234.5 },
    {
      key: 'Núñez, S.A.',
      state: 'paid',
      at: null,
      day: new Date('2026-12-07T07:59:59Z'),
      amount: -0.2,
    },
  ];
  const totals = rows.reduce((before, row) => addedTotals(before, FILE, [row]), NO_TOTALS);
  const end = writer.end(totals, [
    ['Mayorista', 'Abarrotes del Norte'],
    ['A pagar', 10],
  ]);
  expect(`${writer.beginning()}${writer.rows(rows)}${end}`.split('\n')).toEqual([
    '\uFEFFCliente,Estado,Fecha,Vence,Total',
    'CLI-1,Pagado,2026-11-22 23:05,,0.10',
    ',new,2026-06-30 23:59,2026-12-07,1234.50',
    '"Núñez, S.A.",Pagado,,2026-12-06,-0.20',
    '',
    'Total: Pagado,2 renglones,,,-0.10',
    'Total: new,1 renglón,,,1234.50',
    'Total,3 renglones,,,1234.40',
    '',
    'Mayorista,Abarrotes del Norte',
    'A pagar,10.00',
    '',
  ]);
});

it.each([
  '=1+1',
  '+52 55 1234 5678',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '007',
  '830274915602',
  '1-2',
  '3/4',
  '1e5',
  '1,5',
  '$5',
  '(5)',
  ' 5',
  '10:30',
  'MAR-2',
  '2 mar',
])('a text that a spreadsheet would change begins with an apostrophe: %j', (text) => {
  const [cell = ''] = writer.rows([{ key: text }]).split(',,,,');
  expect(cell.replace(/^"/, '')).toMatch(/^'/);
});

it.each(['4711', '0', 'PED-4711', 'tienda-1', 'Abarrotes 2 de Marzo', 'Mayo 1', '3a', 'a=1'])(
  'another text stays as it is: %s',
  (text) => {
    expect(writer.rows([{ key: text }])).toBe(`${text},,,,\n`);
  },
);
