import { createAddressGuard, isNetwork, webhookUrlOf } from './address-guard';

it.each([
  'https://example.com/hook',
  'https://example.com:8443/hook?a=1',
  'https://hooks.ejemplo.mx',
])('production takes %s', (text) => expect(webhookUrlOf(text, false)?.href).toContain('https://'));

it.each([
  'http://example.com/',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://example.com:25/',
  'https://example.com:80/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'example.com',
  '',
  `https://example.com/${'a'.repeat(2_000)}`,
])('production refuses %s', (text) => expect(webhookUrlOf(text, false)).toBeUndefined());

it('the sandbox takes http and addresses too, and no other protocol', () => {
  expect(webhookUrlOf('http://localhost:4000/hook', true)?.href).toBe('http://localhost:4000/hook');
  expect(webhookUrlOf('http://127.0.0.1:4000/', true)).toBeDefined();
  expect(webhookUrlOf('ftp://127.0.0.1:4000/', true)).toBeUndefined();
});

const isAllowed = createAddressGuard([]);

it.each(['8.8.8.8', '1.1.1.1', '187.141.0.1', '2606:4700:4700::1111', '2800:3f0:4001::1'])(
  'the public address %s is allowed',
  (address) => expect(isAllowed(address)).toBe(true),
);

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '::1',
  '::',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  'fd00::1',
  'fe80::1%eth0',
  'ff02::1',
  '2001:0:4136:e378::1',
  '2001:db8::1',
  '2002:a00:1::1',
  'localhost',
  '',
])('%s is refused', (address) => expect(isAllowed(address)).toBe(false));

it('an allowed network is reached, and no other of its kind', () => {
  const guard = createAddressGuard(['127.0.0.0/8', 'fd00:1::/32']);
  expect(guard('127.0.0.1')).toBe(true);
  expect(guard('fd00:1::5')).toBe(true);
  expect(guard('10.0.0.1')).toBe(false);
  expect(guard('fd00:2::5')).toBe(false);
  expect(guard('::ffff:10.0.0.1')).toBe(false);
});

it('a network is an address and its bits', () => {
  expect(['10.0.0.0/8', 'fd00::/8', '0.0.0.0/0'].every(isNetwork)).toBe(true);
  expect(['10.0.0.0', '10.0.0.0/33', 'x/8', '10.0.0.0/8/8', 'fd00::/129'].some(isNetwork)).toBe(
    false,
  );
});
