import type { Db } from '../db/database';
import { query, queryOne, queryRow } from '../db/query';
import { KEYS_VALID_MS, type DataKey } from './data-keys';

/** A key as it rests and as accounts sends it to the other services. */
export interface DataKeyRow {
  kind: DataKey['kind'];
  number: number;
  /** Null when it is retired. */
  wrapped: Buffer | null;
  isSealing: boolean;
}

/** All keys of the schema; a retired one has no wrapped key. */
export function readDataKeys(db: Db): Promise<DataKeyRow[]> {
  return query<DataKeyRow>(
    db,
    `SELECT kind, number, wrapped, sealing_from IS NOT NULL AS is_sealing
       FROM data_keys ORDER BY kind, number`,
  );
}

/**
 * Adds keys that are new here, and takes over that one seals or is retired. A key that is here stays
 * as it is wrapped.
 */
export async function putDataKeys(db: Db, keys: DataKeyRow[]): Promise<void> {
  for (const { kind, number, wrapped, isSealing } of keys) {
    await query(
      db,
      `INSERT INTO data_keys AS own (kind, number, wrapped, sealing_from, retired_at)
       VALUES ($1, $2, $3::bytea, CASE WHEN $4 THEN now() END,
               CASE WHEN $3::bytea IS NULL THEN now() END)
       ON CONFLICT (kind, number) DO UPDATE
         SET sealing_from = coalesce(own.sealing_from, excluded.sealing_from),
             wrapped = CASE WHEN excluded.wrapped IS NOT NULL THEN own.wrapped END,
             retired_at = coalesce(own.retired_at, excluded.retired_at)
       WHERE (own.sealing_from IS NULL AND excluded.sealing_from IS NOT NULL)
          OR (own.retired_at IS NULL AND excluded.retired_at IS NOT NULL)`,
      [kind, number, wrapped, isSealing],
    );
  }
}

/** Replaces how a key is wrapped, unless another process has done so. */
export async function rewrapDataKey(
  db: Db,
  { kind, number, wrapped }: Pick<DataKeyRow, 'kind' | 'number' | 'wrapped'>,
  rewrapped: Buffer,
): Promise<void> {
  await query(
    db,
    `UPDATE data_keys SET wrapped = $4 WHERE kind = $1 AND number = $2 AND wrapped = $3`,
    [kind, number, wrapped, rewrapped],
  );
}

/** Tells up to which number this process opens values, and forgets processes that are gone. */
export async function reportHolder(db: Db, instance: string, newest: number): Promise<void> {
  await query(
    db,
    `WITH gone AS (DELETE FROM data_key_holders WHERE seen_at < now() - interval '1 hour')
     INSERT INTO data_key_holders (instance, newest) VALUES ($1, $2)
     ON CONFLICT (instance) DO UPDATE SET newest = $2, seen_at = now()`,
    [instance, newest],
  );
}

/** A process that ends well is not waited for. */
export async function forgetHolder(db: Db, instance: string): Promise<void> {
  await query(db, 'DELETE FROM data_key_holders WHERE instance = $1', [instance]);
}

/** The highest key that every running process of the service opens; -1 without any. */
export async function newestHeldByAll(db: Db): Promise<number> {
  const row = await queryRow<{ newest: number }>(
    db,
    `SELECT least((SELECT max(number) FROM data_keys WHERE kind = 'seal'),
                  coalesce(min(newest), -1))::integer AS newest
       FROM data_key_holders WHERE seen_at > now() - make_interval(secs => $1)`,
    [KEYS_VALID_MS / 1_000],
  );
  return row?.newest ?? -1;
}

/** The key that the service seals with, and since when. */
export function sealingKeyOf(db: Db): Promise<{ number: number; sealingFrom: Date }> {
  return queryOne(
    db,
    `SELECT number, sealing_from FROM data_keys
      WHERE kind = 'seal' AND sealing_from IS NOT NULL ORDER BY number DESC LIMIT 1`,
  );
}
