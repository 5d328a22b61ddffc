import { deliveryWordAt, isSameWord, WORD_COUNT } from './delivery-word';

const words = Array.from({ length: WORD_COUNT }, (_, index) => deliveryWordAt(index));

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

it('holds no two words that differ in one letter', () => {
  const close = words.flatMap((a, i) =>
    words.slice(i + 1).flatMap((b) => (distance(a, b) < 2 ? [`${a}/${b}`] : [])),
  );
  expect(close).toEqual([]);
  expect(new Set(words).size).toBe(WORD_COUNT);
});

it('holds enough words that five tries find one in less than three of a hundred', () => {
  expect(WORD_COUNT).toBeGreaterThanOrEqual(180);
  expect(words.every((word) => /^[a-z]{3,12}$/.test(word))).toBe(true);
});

it('does not mind case, accents and spaces around', () => {
  expect(isSameWord(' Balcón ', 'balcon')).toBe(true);
  expect(isSameWord('balco', 'balcon')).toBe(false);
  expect(isSameWord('', 'balcon')).toBe(false);
});
