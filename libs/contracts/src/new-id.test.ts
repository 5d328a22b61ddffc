import { isUUID } from 'class-validator';
import { newId } from './new-id';

/** Far more than are drawn in a millisecond. */
const MANY = 10_000;

describe('newId', () => {
  it('draws a UUID of version 7', () => {
    expect(isUUID(newId(), 7)).toBe(true);
  });

  it('begins with the time, so that ids sort by creation', () => {
    const before = Date.now();
    const told = Number.parseInt(newId().replace('-', '').slice(0, 12), 16);
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(Date.now());
  });

  it('draws none twice, many in one millisecond included', () => {
    expect(new Set(Array.from({ length: MANY }, newId)).size).toBe(MANY);
  });
});
