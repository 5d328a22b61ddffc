import { deliveryRefusal } from './delivery';

it('allows less, the same, and more up to the overage', () => {
  for (const delivered of [1, 100_000, 110_000]) {
    expect(deliveryRefusal(100_000, delivered, '0.10')).toBeUndefined();
  }
  expect(deliveryRefusal(100_000, 110_001, '0.10')).toBe('TRANSACTION_AMOUNT_NOT_ALLOWED');
  expect(deliveryRefusal(100_000, 100_001, '0')).toBe('TRANSACTION_AMOUNT_NOT_ALLOWED');
});
