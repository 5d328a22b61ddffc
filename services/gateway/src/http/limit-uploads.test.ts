import { createUploadLimit } from './limit-uploads';

it('a link has two places, all links together fifty, and one is given back once', () => {
  const take = createUploadLimit();
  const taken = Array.from({ length: 25 }, (_, link) => [take(`${link}`), take(`${link}`)]).flat();
  expect(taken.every((giveBack) => giveBack !== undefined)).toBe(true);
  expect([take('0'), take('another')]).toEqual([undefined, undefined]);

  taken[0]?.();
  taken[0]?.();
  expect(take('another')).toBeDefined();
  expect(take('another')).toBeUndefined();
});
