import type { Db } from '../db/database';
import { query, queryRow } from '../db/query';
import { type DocumentStore, newDocumentKey } from './document-store';

/** Keys of a page. */
const PAGE_SIZE = 1_000;

/**
 * Documents as rows of a table, for any number of instances without a store or a folder of their own.
 * @param table with the columns key, content and created_at; a name of ours, and never a caller's
 */
export function createDatabaseDocumentStore(db: Db, table: string): DocumentStore {
  return {
    async put(content) {
      const key = newDocumentKey();
      await query(db, `INSERT INTO ${table} (key, content) VALUES ($1, $2)`, [key, content]);
      return key;
    },
    async get(key) {
      const row = await queryRow<{ content: Buffer }>(
        db,
        `SELECT content FROM ${table} WHERE key = $1`,
        [key],
      );
      if (row === undefined) throw new Error('There is no document under this key');
      return row.content;
    },
    async remove(key) {
      await query(db, `DELETE FROM ${table} WHERE key = $1`, [key]);
    },
    async *listPutBefore(time) {
      let after = '';
      for (;;) {
        const rows = await query<{ key: string }>(
          db,
          `SELECT key FROM ${table} WHERE created_at < $1 AND key > $2 ORDER BY key LIMIT $3`,
          [time, after, PAGE_SIZE],
        );
        if (rows.length > 0) yield rows.map(({ key }) => key);
        if (rows.length < PAGE_SIZE) return;
        after = rows.at(-1)?.key ?? '';
      }
    },
    close: async () => {},
  };
}
