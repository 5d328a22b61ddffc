import { collectorHeadersOf } from './setting-rules';

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
