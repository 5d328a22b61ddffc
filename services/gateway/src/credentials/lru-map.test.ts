import { LruMap } from './credential-checker';

describe('LruMap', () => {
  it('forgets the entry that was unused for longest', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);

    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
    expect(map.size).toBe(2);
  });

  it('replaces a value without growing', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('a', 2);

    expect(map.get('a')).toBe(2);
    expect(map.size).toBe(1);
  });
});
