import { isPaymentTime, paymentTimeOf } from './deposit.rules';

describe('fechaPago', () => {
  it.each(['2026-11-20 09:05:07.123', '2028-02-29 23:59:59.999', '0001-01-01 00:00:00.000'])(
    '%s is a payment time',
    (text) => {
      expect(isPaymentTime(text)).toBe(true);
    },
  );

  it.each([
    '2026-02-29 10:00:00.000',
    '2026-13-01 10:00:00.000',
    '2026-11-20 24:00:00.000',
    '2026-11-20 10:60:00.000',
    '2026-11-20T10:00:00.000',
    '2026-11-20 10:00:00',
    '2026-11-20 10:00:00.00',
    '2026-11-20 10:00:00.000Z',
    '2026-1-2 10:00:00.000',
    ' 2026-11-20 10:00:00.000',
    '2026-11-20 10:00:00.000\n',
    '',
  ])('%j is none', (text) => {
    expect(isPaymentTime(text)).toBe(false);
  });

  it('is read on the wall clock of its time zone', () => {
    const text = '2026-11-20 09:05:07.123';
    expect(paymentTimeOf(text, 'America/Mexico_City')).toEqual(
      new Date('2026-11-20T15:05:07.123Z'),
    );
    expect(paymentTimeOf(text, 'America/Tijuana')).toEqual(new Date('2026-11-20T17:05:07.123Z'));
  });
});
