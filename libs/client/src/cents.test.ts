import { cents } from './cents';

it('cents are exact', () => {
  expect([0, 0.1, 0.29, 1.15, 507.84, -3, 99_999_999.99].map(cents)).toEqual([
    0, 10, 29, 115, 50_784, -300, 9_999_999_999,
  ]);
  for (const wrong of [0.001, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => cents(wrong)).toThrow(RangeError);
  }
});
