import { createServer } from 'node:net';
import { Client } from 'pg';
import { OWNER } from './cluster';
import { codeOf } from './run';

/** The only address that the database listens on. */
export const ADDRESS = '127.0.0.1';

type Answer = 'ready' | 'not-yet' | 'no-database';

const CONNECT_TIMEOUT_MS = 5_000;

/** SQLSTATEs. */
const CANNOT_CONNECT_NOW = '57P03'; // starts, recovers or shuts down
const ADMIN_SHUTDOWN = '57P01';
const NO_SUCH_DATABASE = '3D000';
const EXISTS_ALREADY = new Set(['42P04', '23505']);

/** Errors of the network that a server shows while it comes or goes. */
const NOT_YET = new Set([CANNOT_CONNECT_NOW, ADMIN_SHUTDOWN, 'ECONNREFUSED', 'ECONNRESET']);

/** The owner's URL of the server on this port. */
export function ownerUrl(port: number, password: string, database = OWNER): string {
  return `postgresql://${OWNER}:${password}@${ADDRESS}:${port}/${database}`;
}

/**
 * Asks the server on this port, and makes the owner's database when the cluster has none.
 * @throws Error when what listens there is not the server of this cluster
 */
export async function isReady(port: number, password: string, data: string): Promise<boolean> {
  const answer = await ask(ownerUrl(port, password), data);
  if (answer !== 'no-database') return answer === 'ready';

  await withClient(ownerUrl(port, password, 'postgres'), async (client) => {
    await client.query(`CREATE DATABASE ${OWNER}`).catch((error: unknown) => {
      if (!EXISTS_ALREADY.has(codeOf(error))) throw error; // another start was faster
    });
  });
  return true;
}

async function ask(url: string, data: string): Promise<Answer> {
  try {
    return await withClient(url, async (client): Promise<Answer> => {
      const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
      if (rows[0]?.data_directory === data) return 'ready';
      throw new Error('Another PostgreSQL answers on the port of the embedded database');
    });
  } catch (error) {
    if (codeOf(error) === NO_SUCH_DATABASE) return 'no-database';
    if (NOT_YET.has(codeOf(error)) || isCut(error)) return 'not-yet';
    throw error;
  }
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  // A server that goes while we talk also emits; the promise below carries it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isCut(error: unknown): boolean {
  return error instanceof Error && /terminated|timeout/i.test(error.message);
}

/** A free port: the preferred one if it still is, else one of the system's choice. */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const port = await tryPort(preferred).catch(() => undefined);
    if (port !== undefined) return port;
  }
  return tryPort(0);
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host: ADDRESS, port, exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}
