import { isUUID } from './class-validator';
import { newId } from './new-id';

/** Far more than are drawn in a millisecond. */
const MANY = 10_000;

describe('newId', () => {
  it('draws a UUID of version 7', () => {
    expect(isUUID(newId(), 7)).toBe(true);
  });

  it('begins with the time', () => {
    const before = Date.now();
    const told = Number.parseInt(newId().replace('-', '').slice(0, 12), 16);
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(Date.now());
  });

  it('draws ids that sort in their order, many in one millisecond included, and none twice', () => {
    const ids = Array.from({ length: MANY }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(MANY);
  });
});
