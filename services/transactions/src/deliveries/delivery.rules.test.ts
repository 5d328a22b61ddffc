import { deliveryWordAt, isSameWord, MAX_WRONG_WORDS_IN_ALL, WORD_COUNT } from './delivery.rules';

const deliveryWords = Array.from({ length: WORD_COUNT }, (_, index) => deliveryWordAt(index));
const words = [...new Set(deliveryWords.flatMap((word) => word.split(/(?<=[a-z])(?=[A-Z])/)))];

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

it('contains no two words that differ in one letter', () => {
  const close = words.flatMap((a, i) =>
    words.slice(i + 1).flatMap((b) => (distance(a, b) < 2 ? [`${a}/${b}`] : [])),
  );
  expect(close).toEqual([]);
});

it('has so many words that twenty guesses succeed in less than one of a thousand cases', () => {
  const distinct = new Set(deliveryWords.map((word) => word.toLowerCase())).size;
  expect(distinct).toBe(WORD_COUNT);
  expect(MAX_WRONG_WORDS_IN_ALL / distinct).toBeLessThan(0.001);
  expect(deliveryWords.every((word) => /^([A-Z][a-z]{2,11}){2}$/.test(word))).toBe(true);
});

it('does not mind case, accents, spaces and hyphens', () => {
  expect(isSameWord(' balcón-rubí ', 'BalconRubi')).toBe(true);
  expect(isSameWord('Balcón rubí', 'BalconRubi')).toBe(true);
  expect(isSameWord('\u200bＢalcón\nrubí\u202c', 'BalconRubi')).toBe(true);
  expect(isSameWord('RubiBalcon', 'BalconRubi')).toBe(false);
  expect(isSameWord('balco', 'balcon')).toBe(false);
  expect(isSameWord('', 'balcon')).toBe(false);
});
