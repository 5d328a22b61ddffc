import { paymentPlacesOf } from './payment-places';

describe('paymentPlacesOf', () => {
  it('reads names, how to pay there, and accounts', () => {
    expect(
      paymentPlacesOf('OXXO | En la caja | Convenio 12345; Banco Uno||CLABE 0123; Kiosko'),
    ).toEqual([
      { name: 'OXXO', how: 'En la caja', account: 'Convenio 12345' },
      { name: 'Banco Uno', how: '', account: 'CLABE 0123' },
      { name: 'Kiosko', how: '', account: '' },
    ]);
  });

  it.each([
    '',
    '1234',
    'OXXO;',
    'OXXO | a | b | c',
    'A name that is too long for an SMS',
    `OXXO | ${'x'.repeat(61)}`,
    'A;B;C;D;E;F',
  ])('refuses %j', (setting) => {
    expect(paymentPlacesOf(setting)).toBeUndefined();
  });
});
