import { createAddressGuard, isNetwork } from './address-guard';

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
