import { randomUUID } from 'node:crypto';
import { NameIndex } from './name-index';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const found = async (index: NameIndex, ...parts: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for await (const id of index.find(parts)) ids.push(id);
  return ids.toSorted();
};

it('finds any part of a word, and of several words all', async () => {
  const index = new NameIndex();
  index.add([
    [idOf(1), ['abarrotes', 'lupita']],
    [idOf(2), ['guadalupe', 'ñandú']],
  ]);
  index.set(idOf(3), ['super', 'lupe']);
  expect(await found(index, 'lup')).toEqual([idOf(1), idOf(2), idOf(3)]);
  expect(await found(index, 'lupi')).toEqual([idOf(1)]);
  expect(await found(index, 'guadalup', 'ndú')).toEqual([idOf(2)]);
  expect(await found(index, 'lupi', 'super')).toEqual([]);
  // Not over the border of two stores or words.
  expect(await found(index, 'tag')).toEqual([]);
  expect(await found(index, 'slup')).toEqual([]);
});

it('keeps the newest words of a store, whichever segment had them', async () => {
  const index = new NameIndex();
  index.add([[idOf(1), ['antes']]]);
  const others = Array.from({ length: 4_500 }, () => randomUUID());
  for (const id of others) index.set(id, ['otra']);
  index.set(idOf(1), ['luego']);
  for (const id of others) index.set(id, ['nueva']);
  expect([await found(index, 'antes'), await found(index, 'otra')]).toEqual([[], []]);
  expect(await found(index, 'luego')).toEqual([idOf(1)]);
  expect(await found(index, 'nueva')).toEqual(others.toSorted());
  index.set(idOf(1), []);
  expect(await found(index, 'luego')).toEqual([]);
});
