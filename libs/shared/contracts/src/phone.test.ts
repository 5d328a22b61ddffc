import { canGetSms, normalizePhone } from './numbering-plan';
import { maskPhone } from './phone';

it.each([
  '55 1234 5678',
  '+52 55 1234 5678',
  '(55) 1234-5678',
  '+52 1 55 1234 5678',
  'tel:+525512345678',
  '\u202a+52 55 1234 5678\u202c',
  '\ufeff55\u20111234\u20115678\u200b',
])('normalizes %s', (text) => {
  expect(normalizePhone(text, 'MX')).toBe('+525512345678');
});

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

it.each([
  ['+525512345678', true],
  ['+528001234567', false],
  ['+529001234567', false],
  ['+12025550123', false],
  ['+573001234567', false],
])('%s can get an SMS: %s', (phone, can) => {
  expect(canGetSms(phone, ['52'])).toBe(can);
});
