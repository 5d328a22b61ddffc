import { Client } from 'pg';
import type { SharedSystem } from './shared-system';

/** Runs a statement as the owner of the shared system's database: for time that must have passed. */
export async function runAsOwner(
  { databaseUrl }: SharedSystem,
  sql: string,
  values: unknown[],
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql, values);
  } finally {
    await client.end();
  }
}
