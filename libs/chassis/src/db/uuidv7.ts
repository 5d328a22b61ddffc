import { escapeIdentifier, type Client } from 'pg';

/** The first version with a uuidv7() of its own, as in server_version_num. */
const FIRST_WITH_UUIDV7 = 180_000;

/**
 * Gives a schema its own uuidv7() on a server that has none (before PostgreSQL 18). Column defaults
 * and statements call uuidv7() without a schema, so they find the server's function, or else this
 * one through search_path (ADR 13). A server that is upgraded later keeps the defaults as they are.
 */
export async function ensureUuidv7(
  owner: Client,
  schema: string,
  serverVersion: number,
): Promise<void> {
  if (serverVersion >= FIRST_WITH_UUIDV7) return;
  // A random UUID whose first 48 bits become the milliseconds since 1970, and whose version becomes
  // 7 (bits 52 and 53, counted from the right of each byte). One expression, so that Postgres
  // inlines it into the statement.
  await owner.query(`
    CREATE OR REPLACE FUNCTION ${escapeIdentifier(schema)}.uuidv7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
      SELECT encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
            FROM 1 FOR 6),
          52, 1), 53, 1),
        'hex')::uuid
    $$
  `);
}
