import type { Database } from '@fiado/chassis/db/database';
import { Lane } from '@fiado/chassis/lanes/lane';
import {
  type CustomerName,
  type CustomerRow,
  findCustomers,
} from './corner-stores/find-customers.sql';
import { findKeysByHash, findKeysById, type KnownKey } from './keys/known-keys.sql';

/** What calls that arrive at the same time read together: one statement for all of a kind. */
export interface Lanes {
  keysByHash: Lane<Buffer, KnownKey | undefined>;
  keysById: Lane<string, KnownKey | undefined>;
  customers: Lane<CustomerName, CustomerRow | undefined>;
}

export function createLanes(db: Database): Lanes {
  return {
    keysByHash: new Lane({
      name: 'find-keys-by-hash',
      run: (hashes) => findKeysByHash(db, hashes),
      // Whose key it is, is not known yet: callers with one key take turns with others.
      tenantOf: (hash) => hash.toString('base64'),
    }),
    keysById: new Lane({
      name: 'find-keys-by-id',
      run: (ids) => findKeysById(db, ids),
      tenantOf: (id) => id,
    }),
    customers: new Lane({
      name: 'find-customers',
      run: (names) => findCustomers(db, names),
      tenantOf: ({ wholesalerId }) => wholesalerId,
    }),
  };
}
