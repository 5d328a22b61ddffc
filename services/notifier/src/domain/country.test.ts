import { isAllowedCountry } from './country';

test.each([
  ['+525512341234', ['52'], true],
  ['+5025512341', ['52'], false],
  ['+573001234567', ['52', '57'], true],
  ['+15005550006', ['52'], false],
  ['525512341234', ['52'], false],
])('%s to one of %j: %s', (phone, codes, allowed) => {
  expect(isAllowedCountry(phone, codes)).toBe(allowed);
});
