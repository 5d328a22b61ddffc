import { Client } from 'pg';

/** Runs a statement as the owner of a system's database: for time that must have passed. */
export async function runAsOwner(
  { databaseUrl }: { databaseUrl: string },
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
