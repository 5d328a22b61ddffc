import { randomBytes } from 'node:crypto';
import { permuted } from './permutation';

const key = randomBytes(32);

it('maps each number below the size to a different one', () => {
  const size = 1_000;
  const results = Array.from({ length: size }, (_, number) =>
    permuted(number, { size, key, tweak: 'a' }),
  );
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, n) => n));
  expect(results).not.toEqual(results.toSorted((a, b) => a - b));
});

it('is deterministic, and differs by key and tweak', () => {
  const numbersOf = (one: Buffer, tweak: string) =>
    Array.from({ length: 10 }, (_, number) => permuted(number, { size: 9e11, key: one, tweak }));
  const numbers = numbersOf(key, 'a');
  expect(numbersOf(key, 'a')).toEqual(numbers);
  expect(numbersOf(key, 'b')).not.toEqual(numbers);
  expect(numbersOf(randomBytes(32), 'a')).not.toEqual(numbers);
});

it.each([-1, 10, 0.5, Number.NaN])('refuses %s of a size of 10', (number) => {
  expect(() => permuted(number, { size: 10, key, tweak: 'a' })).toThrow(RangeError);
});
