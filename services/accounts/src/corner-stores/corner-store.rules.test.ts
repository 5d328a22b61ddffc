import { availableCents, requireVerifiable, shownStatus } from './corner-store.rules';

describe('shownStatus', () => {
  it('shows an approved and overdue store as in payment default', () => {
    expect(shownStatus('approved', true)).toBe('in-payment-default');
    expect(shownStatus('approved', false)).toBe('approved');
  });

  it('keeps the status of a store that may not buy', () => {
    expect(shownStatus('pre-approved', true)).toBe('pre-approved');
    expect(shownStatus('in-manual-validation', true)).toBe('in-manual-validation');
  });
});

describe('availableCents', () => {
  it('is never below zero', () => {
    expect(availableCents(100, 30)).toBe(70);
    expect(availableCents(100, 130)).toBe(0);
  });
});

describe('requireVerifiable', () => {
  it('refuses who is verified or in validation', () => {
    expect(() => requireVerifiable('pre-approved')).not.toThrow();
    expect(() => requireVerifiable('approved')).toThrow(
      expect.objectContaining({ code: 'USER_IS_VERIFIED' }),
    );
    expect(() => requireVerifiable('in-manual-validation')).toThrow(
      expect.objectContaining({ code: 'USER_IN_MANUAL_VALIDATION' }),
    );
  });
});
