import { nextTurn } from './turns';

it('callers take turns, and the event loop runs between two pieces of work', async () => {
  const order: string[] = [];
  const work = async (caller: string, pieces: number): Promise<void> => {
    for (let piece = 0; piece < pieces; piece += 1) {
      await nextTurn(caller);
      order.push(caller);
    }
  };
  let isOver = false;
  const tick = (): void => {
    order.push('.');
    if (!isOver) setImmediate(tick);
  };
  const works = [work('a', 4), work('a', 4)];
  setImmediate(tick);
  works.push(work('b', 2));
  await Promise.all(works);
  isOver = true;

  const turns = order.join('').split('.').filter(Boolean);
  expect(turns).toHaveLength(10);
  expect(turns.slice(0, 4).toSorted()).toEqual(['a', 'a', 'b', 'b']);
});
