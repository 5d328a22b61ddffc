import { Needles, type NeedleKind } from './needles';

const NAME = 'Xóchitl Güemes-Ávalos';
const PHONE = '+525512345678';

function finds(kind: NeedleKind, value: string, text: string): boolean {
  const needles = new Needles();
  needles.add(kind, value);
  return needles.search({ place: 'here', text }).length === 1;
}

it.each([
  ['as it is', `name: ${NAME}!`],
  ['in capitals', NAME.toUpperCase()],
  ['with its accents apart', NAME.normalize('NFD')],
  ['in JSON', '{"a":"X\\u00f3chitl G\\u00FCemes-\\u00c1valos"}'],
  ['in a URL', `/a?b=${encodeURIComponent(NAME)}`],
  ['in a URL in Latin-1', '/a?b=X%F3chitl%20G%FCemes-%C1valos'],
  ['in HTML', 'X&#243;chitl G&#xfc;emes-&#193;valos'],
  ['in hex', `\\x00${Buffer.from(NAME).toString('hex')}00`],
  ['in UTF-16 in hex', Buffer.from(NAME, 'utf16le').toString('hex')],
  ...[0, 1, 2].flatMap((before): Array<[string, string]> => {
    const bytes = Buffer.from(`${'x'.repeat(before)}${NAME}y`);
    return [
      [`in base64, ${before} bytes in`, bytes.toString('base64')],
      [`in base64url, ${before} bytes in`, bytes.toString('base64url')],
    ];
  }),
])('a name is found %s', (_how, text) => {
  expect(finds('text', NAME, text)).toBe(true);
});

it.each([
  '+525512345678',
  '5512345678',
  '55 1234 5678',
  '(55) 1234-5678',
  '+52 1 55 1234 5678',
  '00525512345678',
  'tel=%2B52%2055%201234%205678',
  `a${Buffer.from(PHONE).toString('base64')}b`,
  Buffer.from(PHONE).toString('hex'),
])('a phone is found as %s', (text) => {
  expect(finds('phone', PHONE, text)).toBe(true);
});

it.each(['********5678', '551234567', '1762345512345', '5512345679'])(
  'no phone is found in %s',
  (text) => {
    expect(finds('phone', PHONE, text)).toBe(false);
  },
);

it.each(['code=482913', '{"code":482913}', '482913 es tu clave', 'a%20482913%20b', 'NDgyOTEz'])(
  'a code is found in %s',
  (text) => {
    expect(finds('code', '482913', text)).toBe(true);
  },
);

it.each(['12:00:00.482913', '1482913', '4829130', 'a482913', '482913f', 'x482913'])(
  'no code is found in %s',
  (text) => {
    expect(finds('code', '482913', text)).toBe(false);
  },
);

it.each([
  ['word', 'manzana', 'a metric{label="Manzana"}', true],
  ['word', 'manzana', 'manzanas', false],
  ['secret', 'fiado_test_abcDEF', 'x=Fiado_test_abcDEF', true],
  ['text', 'Ana', 'of Ana, and', true],
  ['text', 'Ana', 'Analysis', false],
  ['text', '19.4326077', 'lat=19.4326077', true],
] as const)('the %s %s in %s: %s', (kind, value, text, found) => {
  expect(finds(kind, value, text)).toBe(found);
});
