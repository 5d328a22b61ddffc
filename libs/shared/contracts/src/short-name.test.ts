import { shortName } from './short-name';

it.each([
  ['Abarrotera del Centro', 40, 'Abarrotera del Centro'],
  ['Abarrotera del Centro', 20, 'Abarrotera'],
  ['Distribuidora de la Costa y Sierra', 28, 'Distribuidora de la Costa'],
  ['Dulces  Ñandú,  S.A. de C.V.', 14, 'Dulces Ñandú'],
  ['Supermegadistribuidora', 20, 'Supermegadistribuido'],
  ['  ', 20, ''],
])('%j in %i characters is %j', (full, maxLength, short) => {
  expect(shortName(full, maxLength)).toBe(short);
});
