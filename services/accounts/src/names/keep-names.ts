import { query, queryOne } from '@fiado/chassis/db/query';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { guardRow } from '@fiado/chassis/loop';
import type { Reading } from '@fiado/chassis/metrics';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { namesInMemory } from '../metrics';
import { noNames } from './name-index';
import { nameWords } from './name-words.rules';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';
import type { UserRow } from '../corner-stores/user.entity';

const LOOP = 'names';

/** Stores of one round: three values of each are opened, in some 10 ms together. */
const BATCH_SIZE = 500;

/** The sealed names that a store is found by; null where it has none, or none any more. */
export interface SealedNames
  extends Pick<CornerStoreRow, 'userId' | 'name'>, Pick<UserRow, 'firstName' | 'lastNames'> {
  cornerStoreId: CornerStoreRow['id'];
}

/** @throws as Sealer.open does */
export function wordsOf(sealer: Sealer, store: SealedNames): string[] {
  const { firstName, lastNames, name } = openNames(sealer, store);
  return nameWords(firstName, lastNames, name);
}

/**
 * The name of a store, or else of its owner.
 * @throws as Sealer.open does
 */
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
export const SELECT_NAMES = `
  SELECT s.id AS "cornerStoreId", s.user_id, u.first_name, u.last_names, s.name
    FROM corner_stores s JOIN users u ON u.id = s.user_id`;

/**
 * One round: reads the names of the next stores until all are read, then those that have changed, by the triggers
 * that `db/triggers.sql.ts` has.
 * @returns whether there may be more
 */
export async function keepNames(
  context: Pick<Context, 'db' | 'sealer' | 'log' | 'names'>,
): Promise<boolean> {
  const { db, names } = context;
  if (names.xid === null) {
    // Before the first name is read, so that no change is missed.
    const { xmin } = await queryOne<{ xmin: string }>(
      db,
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin',
    );
    names.xid = xmin;
  }
  return names.filledTo === null
    ? followChanges(context, names.xid)
    : fill(context, names.filledTo);
}

async function fill(
  context: Pick<Context, 'db' | 'sealer' | 'log' | 'names'>,
  after: string,
): Promise<boolean> {
  const { names } = context;
  const stores = await query<SealedNames>(
    context.db,
    `${SELECT_NAMES} WHERE s.id > $1 ORDER BY s.id LIMIT $2`,
    [after, BATCH_SIZE],
  );
  names.index.add(await opened(context, stores));
  names.filledTo = stores.length < BATCH_SIZE ? null : (stores.at(-1)?.cornerStoreId ?? null);
  return true;
}

async function followChanges(
  context: Pick<Context, 'db' | 'sealer' | 'log' | 'names'>,
  xid: string,
): Promise<boolean> {
  const { db, names } = context;
  const { xmin, xmax, changes } = await queryOne<{
    xmin: string;
    xmax: string;
    changes: { seq: number; id: string }[];
  }>(
    db,
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
            pg_snapshot_xmax(pg_current_snapshot())::text AS xmax,
            (SELECT coalesce(json_agg(json_build_object('seq', seq, 'id', corner_store_id)), '[]')
               FROM (SELECT seq, corner_store_id FROM name_changes
                      WHERE xid >= $1::text::xid8 AND seq <> ALL ($2::bigint[])
                      -- The order of its index: by seq alone, it may pass all that was read before.
                      ORDER BY xid, seq LIMIT $3) fresh) AS changes`,
    [xid, [...names.seen], BATCH_SIZE],
  );
  // Transaction ids of another server start again.
  if (BigInt(xid) > BigInt(xmax)) {
    Object.assign(names, noNames());
    return true;
  }
  const ids = [...new Set(changes.map(({ id }) => id))];
  const stores =
    ids.length === 0
      ? []
      : await query<SealedNames>(db, `${SELECT_NAMES} WHERE s.id = ANY ($1)`, [ids]);
  for (const [id, words] of await opened(context, stores)) names.index.set(id, words);
  if (changes.length === BATCH_SIZE) {
    for (const { seq } of changes) names.seen.add(seq);
    return true;
  }
  // All that is older was read; what runs still is read when it ends.
  names.seen = xmin === names.xid ? names.seen : new Set();
  for (const { seq } of changes) names.seen.add(seq);
  names.xid = xmin;
  return false;
}

/** The words of stores. One whose names do not open is left out, and logged. */
async function opened(
  { sealer, log }: Pick<Context, 'sealer' | 'log'>,
  stores: SealedNames[],
): Promise<[id: string, words: string[]][]> {
  const words: [string, string[]][] = [];
  for (const store of stores) {
    const { cornerStoreId } = store;
    let missingKey: AppError | undefined;
    await guardRow(LOOP, { log, cornerStoreId }, async () => {
      try {
        words.push([cornerStoreId, wordsOf(sealer, store)]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        missingKey = error;
      }
    });
    // This process reads it within seconds: the round is repeated.
    if (missingKey !== undefined) throw missingKey;
  }
  return words;
}

/**
 * The stores that have all of these words or parts of words in their names now, and are not blocked.
 * @returns at most `limit`, and whether all names were read: else there may be more
 */
export async function storesNamed(
  { db, sealer, names }: Pick<Context, 'db' | 'sealer' | 'names'>,
  parts: string[],
  limit: number,
): Promise<{ stores: SealedNames[]; isComplete: boolean }> {
  const stores: SealedNames[] = [];
  const seen = new Set<string>();
  let ids: string[] = [];
  // The index in memory may be some seconds old: the row decides.
  const check = async (): Promise<void> => {
    const rows = await query<SealedNames>(
      db,
      `${SELECT_NAMES} WHERE s.id = ANY ($1) AND s.blocked_at IS NULL`,
      [ids],
    );
    ids = [];
    for (const row of rows) {
      const words = wordsOf(sealer, row).join(' ');
      if (parts.every((part) => words.includes(part))) stores.push(row);
    }
  };
  for await (const id of names.index.find(parts)) {
    if (seen.has(id)) continue;
    seen.add(id);
    ids.push(id);
    if (stores.length + ids.length >= limit) await check();
    if (stores.length >= limit) break;
  }
  if (ids.length > 0) await check();
  return { stores: stores.slice(0, limit), isComplete: names.filledTo === null };
}

/** Reads how many names are in memory. */
export function sampleNames({ names }: Pick<Context, 'names'>): Promise<Reading[]> {
  return Promise.resolve([
    namesInMemory({ state: names.filledTo === null ? 'all' : 'filling' }, names.index.size),
    namesInMemory({ state: names.filledTo === null ? 'filling' : 'all' }, 0),
  ]);
}
