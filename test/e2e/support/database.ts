import { randomUUID } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

/** A database for one system, on the server that all tests share. */
export interface SystemDatabase {
  /** The supervisor's variables for it. */
  env: Record<string, string>;
  drop(): Promise<void>;
}

/**
 * Creates a database for a system if E2E_DATABASE_URL names a server. Without it, or if the test
 * brings its own, nothing: the system uses its embedded one.
 */
export async function createSystemDatabase(
  env: Record<string, string> = {},
): Promise<SystemDatabase | undefined> {
  const serverUrl = process.env.E2E_DATABASE_URL;
  if (serverUrl === undefined || env.DATABASE_URL !== undefined) return undefined;

  const name = `e2e_${randomUUID().slice(0, 8)}`;
  const run = async (statement: string) => {
    const owner = new Client({ connectionString: serverUrl });
    await owner.connect();
    try {
      await owner.query(statement);
    } finally {
      await owner.end();
    }
  };
  await run(`CREATE DATABASE ${escapeIdentifier(name)}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    // Where tests run inside a container themselves, the server has another machine's address.
    env: { FIADO_MODE: 'sandbox', DATABASE_URL: url.toString() },
    drop: () => run(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`),
  };
}
