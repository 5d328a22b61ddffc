import { randomUUID } from 'node:crypto';
import { codeOf, isRightCode, isRightPass, newCodeSalt, passOf } from './code';

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

it.each([
  ['a code', codeOf, isRightCode],
  ['a pass', passOf, isRightPass],
])(
  '%s of the pepper or of the previous one is right, and no other text is',
  (_, derive, isRight) => {
    const [id, salt] = [randomUUID(), newCodeSalt()];
    const right = derive(pepper, id, salt);
    const other = 'another-pepper-of-at-least-32-characters';
    const isRightFor = (given: string, current: string, previous?: string) =>
      isRight(
        { CODE_PEPPER: current, ...(previous && { CODE_PEPPER_PREVIOUS: previous }) },
        id,
        salt,
        given,
      );
    expect(isRightFor(right, pepper)).toBe(true);
    expect(isRightFor(right, pepper, other)).toBe(true);
    expect(isRightFor(right, other, pepper)).toBe(true);
    expect(isRightFor(right, other)).toBe(false);
    for (const wrong of ['', right.slice(1), `${right}0`, 'ñ'.repeat(right.length)]) {
      expect(isRightFor(wrong, pepper, other)).toBe(false);
    }
  },
);
