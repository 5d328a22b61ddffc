import { createUploadLimit, type Upload } from './photos';

/** Takes places until it gets none. @returns those that it got */
function takeAll(
  take: ReturnType<typeof createUploadLimit>,
  uploadOf: (at: number) => Upload,
): Array<() => void> {
  const taken: Array<() => void> = [];
  for (let at = 0; ; at += 1) {
    const giveBack = take(uploadOf(at));
    if (giveBack === undefined) return taken;
    taken.push(giveBack);
  }
}

let others = 0;
/** A link, a wholesaler and an address that nobody else has. */
const other = (over: Partial<Upload> = {}): Upload => {
  others += 1;
  return { link: `l${others}`, wholesalerId: `w${others}`, address: `a${others}`, ...over };
};

it('a link has two places, and one is given back once', () => {
  const take = createUploadLimit();
  const [first] = takeAll(take, () => other({ link: 'one' }));
  expect(take(other({ link: 'one' }))).toBeUndefined();
  first?.();
  first?.();
  expect(takeAll(take, () => other({ link: 'one' }))).toHaveLength(1);
});

it.each([
  ['wholesaler', { wholesalerId: 'greedy' }],
  ['address', { address: 'greedy' }],
])('one %s takes half of the places, and leaves the others to its neighbours', (_who, greedy) => {
  const take = createUploadLimit();
  const taken = takeAll(take, () => other(greedy));
  expect(taken).toHaveLength(25);
  expect(takeAll(take, () => other())).toHaveLength(25);
  expect(take(other(greedy))).toBeUndefined();

  taken[0]?.();
  // The place that is free now is for whoever has none.
  expect(take(other(greedy))).toBeUndefined();
  expect(take(other())).toBeDefined();
});

it('five wholesalers that take what they can leave a place to the sixth', () => {
  const take = createUploadLimit();
  for (let round = 0; round < 50; round += 1) {
    for (let one = 0; one < 5; one += 1) take(other({ wholesalerId: `greedy ${one}` }));
  }
  const [first, ...rest] = takeAll(take, () => other({ wholesalerId: 'neighbour' }));
  expect(first).toBeDefined();
  expect(rest.length).toBeGreaterThan(0);
});
