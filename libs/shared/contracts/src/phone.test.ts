import { maskPhone, normalizePhone } from './phone';

it.each(['55 1234 5678', '+52 55 1234 5678', '(55) 1234-5678', '+52 1 55 1234 5678'])(
  'normalizes %s',
  (text) => {
    expect(normalizePhone(text, 'MX')).toBe('+525512345678');
  },
);

it.each(['', '123', 'abc', 'hola 5512345678', '+52 55 1234 567', '+1 000 000 0000'])(
  'refuses "%s"',
  (text) => {
    expect(normalizePhone(text, 'MX')).toBeUndefined();
  },
);

it('shows the last four digits of a masked phone, and no other', () => {
  expect(maskPhone('+525512345678')).toBe('********5678');
  expect(maskPhone('5678')).toBe('****5678');
});
