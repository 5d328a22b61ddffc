import { randomUUID } from 'node:crypto';
import { type SealingStatus, takeDataKeysCall } from '@fiado/contracts/data-keys';
import type { Database } from '../db/database';
import { originalSecret, type Secret } from '../db/key-fingerprints';
import { internalEndpoint } from '../http/endpoint';
import type { Logger } from '../logger';
import { decrypt, encrypt, KEY_ID_BYTES, type SealingKey } from './sealing';
import {
  type DataKeyRow,
  forgetHolder,
  newestHeldByAll,
  putDataKeys,
  readDataKeys,
  reportHolder,
  rewrapDataKey,
  sealingKeyOf,
} from './data-key-rows';
import { type DataKey, DataKeys, deriveKey, firstDataKeys, keyIdOf } from './data-keys';
import { countOldRows, type SealedTable } from './sealed-tables';

/** The data keys of a running service. */
export interface OpenDataKeys {
  keys: DataKeys;
  wrapping: WrappingKeys;
  /**
   * Reads them again, wraps them with ENCRYPTION_KEY where the previous one does, and reports to the
   * database which key this process has.
   */
  refresh(): Promise<void>;
  /** How far the service is. */
  status(): Promise<SealingStatus>;
  /** Reports that this process is gone. */
  close(): Promise<void>;
}

/**
 * Opens the data keys of a schema. The first start derives key 0 from the secret that the schema was
 * written with.
 * @param tables all sealed values of the schema
 * @throws Error when neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS is the right one
 */
export async function openDataKeys(
  { db, log, tables }: { db: Database; log: Logger; tables: SealedTable[] },
  secret: Secret,
): Promise<OpenDataKeys> {
  const wrapping = createWrappingKeys(secret);
  const keys = new DataKeys();
  const instance = randomUUID();
  const take = async (unwrap: (row: DataKeyRow) => DataKey[]): Promise<void> => {
    const readAtMs = performance.now();
    const rows = await readDataKeys(db);
    const opened = rows.flatMap((row) => (row.wrapped === null ? [] : unwrap(row)));
    keys.take(opened, readAtMs);
    for (const row of rows) {
      const key = opened.find(({ kind, number }) => kind === row.kind && number === row.number);
      if (row.wrapped === null || key === undefined || wrapping.isCurrent(row.wrapped)) continue;
      await rewrapDataKey(db, row, wrapping.wrap(key));
    }
    await reportHolder(db, instance, keys.newestOpened);
  };
  await keepFirstKeys(db, secret, wrapping);
  await take((row) => [unwrapped(row, wrapping)]);
  return {
    keys,
    wrapping,
    // A key that cannot be opened must not keep the process from using the others.
    refresh: () =>
      take((row) => {
        try {
          return [unwrapped(row, wrapping)];
        } catch (error) {
          log.error({ err: error, dataKey: row.number }, 'a data key does not open');
          return [];
        }
      }),
    status: () => readSealingStatus(db, tables),
    close: () => forgetHolder(db, instance),
  };
}

/** The keys of a service that seals nothing: any use of them is an error. */
export const noDataKeys: OpenDataKeys = {
  keys: new DataKeys(),
  wrapping: { wrap: refuse, unwrap: refuse, isCurrent: refuse },
  refresh: async () => {},
  status: refuse,
  close: async () => {},
};

function refuse(): never {
  throw new Error('This service has no ENCRYPTION_KEY');
}

async function keepFirstKeys(db: Database, secret: Secret, wrapping: WrappingKeys): Promise<void> {
  if ((await readDataKeys(db)).some(({ kind, number }) => kind === 'index' && number === 0)) return;
  const first = firstDataKeys(await originalSecret(db, 'ENCRYPTION_KEY', secret));
  await db.transaction((tx) =>
    putDataKeys(
      tx,
      first.map((key) => ({ ...key, wrapped: wrapping.wrap(key) })),
    ),
  );
}

function unwrapped(row: DataKeyRow, wrapping: WrappingKeys): DataKey {
  const { kind, number, isSealing, wrapped } = row;
  return { kind, number, isSealing, secret: wrapping.unwrap(wrapped ?? Buffer.alloc(0), row) };
}

/** How far a service is with its data keys. @param tables all its sealed values */
async function readSealingStatus(db: Database, tables: SealedTable[]): Promise<SealingStatus> {
  const { number, sealingFrom } = await sealingKeyOf(db);
  let oldRows = 0;
  for (const table of tables) oldRows += await countOldRows(db, table);
  return {
    held: await newestHeldByAll(db),
    sealing: number,
    sealingSince: sealingFrom.toISOString(),
    oldRows,
  };
}

/** accounts sends its data keys to each other service that seals, and learns how far that is. */
export const takeDataKeysEndpoint = internalEndpoint({
  call: takeDataKeysCall,
  allow: ['service:accounts'],
  handle: async ({ db, dataKeys }: { db: Database; dataKeys: OpenDataKeys }, { keys }) => {
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

/** Wraps and unwraps data keys with ENCRYPTION_KEY, and unwraps with ENCRYPTION_KEY_PREVIOUS too. */
export interface WrappingKeys {
  wrap(key: Pick<DataKey, 'kind' | 'number' | 'secret'>): Buffer;
  /** @throws Error when neither secret wrapped it */
  unwrap(wrapped: Buffer, key: Pick<DataKey, 'kind' | 'number'>): Buffer;
  /** Whether ENCRYPTION_KEY itself wraps it. */
  isCurrent(wrapped: Buffer): boolean;
}

export function createWrappingKeys({ current, previous }: Secret): WrappingKeys {
  const own = wrappingKey(current);
  const known = previous === undefined ? [own] : [own, wrappingKey(previous)];
  return {
    wrap: (key) => encrypt(own, key.secret, contextOf(key)),
    unwrap(wrapped, key) {
      const by = known.find(({ id }) => id.equals(wrapped.subarray(0, KEY_ID_BYTES)));
      if (by === undefined) {
        throw new Error(
          'ENCRYPTION_KEY: neither it nor ENCRYPTION_KEY_PREVIOUS opens the data keys of this database',
        );
      }
      return decrypt(by, wrapped, contextOf(key));
    },
    isCurrent: (wrapped) => own.id.equals(wrapped.subarray(0, KEY_ID_BYTES)),
  };
}

function contextOf({ kind, number }: Pick<DataKey, 'kind' | 'number'>): string {
  return `data key ${kind} ${number}`;
}

function wrappingKey(secret: string): SealingKey {
  const key = deriveKey(secret, 'fiado wrapping of data keys');
  return { id: keyIdOf(key), key };
}
