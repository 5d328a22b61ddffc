import { randomUUID } from 'node:crypto';
import { codeOf, isSameCode, newCodeSalt } from './code';

const pepper = 'a-pepper-of-at-least-32-characters-xx';

it('is six digits, the same for the same verification and salt', () => {
  const [id, salt] = [randomUUID(), newCodeSalt()];
  expect(codeOf(pepper, id, salt)).toMatch(/^\d{6}$/);
  expect(codeOf(pepper, id, salt)).toBe(codeOf(pepper, id, salt));
});

it('depends on the pepper, the verification and the salt', () => {
  const [id, salt] = [randomUUID(), newCodeSalt()];
  const codes = new Set([
    codeOf(pepper, id, salt),
    codeOf(`${pepper}!`, id, salt),
    codeOf(pepper, randomUUID(), salt),
    codeOf(pepper, id, newCodeSalt()),
  ]);
  expect(codes.size).toBeGreaterThan(2);
});

it('spreads evenly: each first digit comes up about as often', () => {
  const counts = Array.from({ length: 10 }, () => 0);
  const id = randomUUID();
  for (let i = 0; i < 10_000; i += 1) {
    const first = Number(codeOf(pepper, id, newCodeSalt())[0]);
    counts[first] = (counts[first] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(200);
});

it('compares codes of any length', () => {
  expect(isSameCode('012345', '012345')).toBe(true);
  expect(isSameCode('12345', '012345')).toBe(false);
  expect(isSameCode('', '012345')).toBe(false);
});
