import { takeDataKeysCall } from '@fiado/contracts/data-keys';
import { putDataKeys, type DataKeyRow } from '../keys/data-key-rows';
import type { WrappingKeys } from '../keys/wrapping-keys';
import type { Foundation } from '../service';
import { internalEndpoint } from './endpoint';

/** accounts sends its data keys to each other service that seals, and learns how far that is. */
export const takeDataKeysEndpoint = internalEndpoint({
  call: takeDataKeysCall,
  allow: ['service:accounts'],
  handle: async ({ db, dataKeys }: Foundation, { keys }) => {
    const rows = keys.map(({ wrapped, ...key }) =>
      Object.assign({}, key, {
        wrapped: wrapped === undefined ? null : Buffer.from(wrapped, 'base64'),
      }),
    );
    await putDataKeys(
      db,
      rows.filter((row) => canOpen(dataKeys.wrapping, row)),
    );
    await dataKeys.refresh();
    return dataKeys.status();
  },
});

/** A key that this service cannot open, for want of the same ENCRYPTION_KEY, is not held and never seals. */
function canOpen(wrapping: WrappingKeys, { wrapped, kind, number }: DataKeyRow): boolean {
  if (wrapped === null) return true;
  try {
    wrapping.unwrap(wrapped, { kind, number });
    return true;
  } catch {
    return false;
  }
}
