import { DataKeys, firstDataKeys } from '../keys/data-keys';
import { createSealer, type Sealer } from '../sealing';

/**
 * Seals as a service that has key 0 only.
 * @param options bind: false seals as releases before ADR 22 do
 */
export function createTestSealer(secret: string, { bind = true } = {}): Sealer {
  const keys = new DataKeys({ bind });
  keys.take(firstDataKeys(secret), Infinity);
  return createSealer(keys);
}
