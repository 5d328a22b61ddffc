import { collectorHeadersOf, paymentPlaces } from './setting-rules';

it.each([
  ['authorization=Bearer a%2Cb', { authorization: 'Bearer a,b' }],
  [
    ' Authorization = Basic dXNlcjpwYXNz== ,x-tenant=fiado',
    { Authorization: 'Basic dXNlcjpwYXNz==', 'x-tenant': 'fiado' },
  ],
])('%s is read', (text, headers) => {
  expect(collectorHeadersOf(text)).toEqual(headers);
});

it.each(['', 'Bearer token', '=token', 'authorization=', 'a=1,', 'a b=1', 'a=%0d%0ab:1', 'a=%'])(
  '"%s" is refused',
  (text) => {
    expect(() => collectorHeadersOf(text)).toThrow(Error);
  },
);

it.each([
  ['sandbox', undefined, ['Tienda de prueba']],
  ['sandbox', 'OXXO; Kiosko', ['OXXO', 'Kiosko']],
  ['production', 'OXXO', ['OXXO']],
  ['production', undefined, []],
] as const)('in a %s with PAYMENT_PLACES %s stores pay at %j', (FIADO_MODE, places, names) => {
  const setting = places === undefined ? {} : { PAYMENT_PLACES: places };
  expect(paymentPlaces({ FIADO_MODE, ...setting }).map(({ name }) => name)).toEqual(names);
});
