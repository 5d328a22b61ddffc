import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { guardRow } from '@fiado/chassis/loop';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { PURPOSE } from '../db/sealed-columns';
import { namesToIndex } from '../metrics';
import { nameWords } from './name-words.rules';

const LOOP = 'names';

/** Stores of one round: three values of each are opened, in some 10 ms together. */
const BATCH_SIZE = 500;

/** Of the HMAC: two words of an installation share these by chance once in some billions. */
const WORD_BYTES = 8;

/** A keyed fingerprint of each word, in an order that does not tell that of the words. */
export function wordIndexes(sealer: Sealer, words: string[]): Buffer[] {
  return words
    .map((word) => sealer.blindIndex(word, PURPOSE.nameWord).subarray(0, WORD_BYTES))
    .sort((a, b) => a.compare(b));
}

/** The sealed names that a store is found by; null where it has none, or none any more. */
export interface SealedNames {
  cornerStoreId: string;
  userId: string;
  firstName: Buffer | null;
  lastNames: Buffer | null;
  name: Buffer | null;
}

/** @throws as Sealer.open does */
export function indexesOf(sealer: Sealer, store: SealedNames): Buffer[] {
  const { firstName, lastNames, name } = openNames(sealer, store);
  return wordIndexes(sealer, nameWords(firstName, lastNames, name));
}

/** As people call a store: its own name, else its owner's. @throws as Sealer.open does */
export function nameOf(sealer: Sealer, store: SealedNames): string {
  const { firstName, lastNames, name } = openNames(sealer, store);
  return name === '' ? `${firstName} ${lastNames}` : name;
}

function openNames(
  sealer: Sealer,
  { cornerStoreId, userId, ...names }: SealedNames,
): Record<'firstName' | 'lastNames' | 'name', string> {
  const open = (sealed: Buffer | null, purpose: string, id: string): string =>
    sealed === null ? '' : sealer.open(sealed, purpose, id);
  return {
    firstName: open(names.firstName, PURPOSE.firstName, userId),
    lastNames: open(names.lastNames, PURPOSE.lastNames, userId),
    name: open(names.name, PURPOSE.cornerStoreName, cornerStoreId),
  };
}

/** Reads sealed names of stores `s`. */
export const SELECT_NAMES =
  'SELECT s.id AS "cornerStoreId", s.user_id, u.first_name, u.last_names, s.name';
export const FROM_NAMED_STORES = 'FROM corner_stores s JOIN users u ON u.id = s.user_id';

/**
 * Indexes a batch of the stores whose names are new or have changed, by the triggers that
 * `db/triggers.sql.ts` has. A store whose names do not open waits for another round.
 * @returns whether there may be more
 */
export function indexNames({
  db,
  sealer,
  log,
}: Pick<Context, 'db' | 'sealer' | 'log'>): Promise<boolean> {
  return db.transaction(async (tx) => {
    const due = await query<{ cornerStoreId: string }>(
      tx,
      `DELETE FROM names_due WHERE seq IN
         (SELECT seq FROM names_due ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING corner_store_id`,
      [BATCH_SIZE],
    );
    if (due.length === 0) return false;
    const ids = [...new Set(due.map(({ cornerStoreId }) => cornerStoreId))];
    // Another round may index an earlier name of the same store. The names are read by a statement of
    // its own, so that they are those of after the lock.
    await query(tx, 'SELECT FROM corner_stores WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [
      ids,
    ]);
    const indexed: { cornerStoreId: string; words: Buffer[] }[] = [];
    const stores = await query<SealedNames>(
      tx,
      `${SELECT_NAMES} ${FROM_NAMED_STORES} WHERE s.id = ANY ($1)`,
      [ids],
    );
    for (const store of stores) {
      const { cornerStoreId } = store;
      await guardRow(LOOP, { log, cornerStoreId }, () => {
        indexed.push({ cornerStoreId, words: indexesOf(sealer, store) });
        return Promise.resolve();
      });
    }
    await keepWords(tx, indexed);
    const done = new Set(indexed.map(({ cornerStoreId }) => cornerStoreId));
    const failed = ids.filter((id) => !done.has(id));
    await query(tx, 'INSERT INTO names_due (corner_store_id) SELECT unnest($1::uuid[])', [failed]);
    return due.length === BATCH_SIZE && failed.length === 0;
  });
}

/** A store without a name, whose owner was erased, has no row. */
async function keepWords(
  tx: Transaction,
  stores: { cornerStoreId: string; words: Buffer[] }[],
): Promise<void> {
  const pairs = stores.flatMap(({ cornerStoreId, words }) =>
    words.map((word) => ({ cornerStoreId, word })),
  );
  await query(
    tx,
    `WITH gone AS (
       DELETE FROM name_words WHERE corner_store_id = ANY ($1::uuid[]) AND corner_store_id <> ALL ($2::uuid[]))
     INSERT INTO name_words (corner_store_id, words)
     SELECT corner_store_id, array_agg(word ORDER BY word)
       FROM unnest($2::uuid[], $3::bytea[]) AS given (corner_store_id, word) GROUP BY corner_store_id
     ON CONFLICT (corner_store_id) DO UPDATE SET words = excluded.words`,
    [
      stores.map(({ cornerStoreId }) => cornerStoreId),
      pairs.map(({ cornerStoreId }) => cornerStoreId),
      pairs.map(({ word }) => word),
    ],
  );
}

/** More than this is counted as this: a sample reads few pages. */
const MAX_COUNTED = 100_000;

/** Reads how many changes of names are not indexed yet. */
export async function sampleNames({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { due } = await queryOne<{ due: number }>(
    db,
    `SELECT count(*)::int AS due FROM (SELECT FROM names_due LIMIT ${MAX_COUNTED}) counted`,
  );
  return [namesToIndex({}, due)];
}
