import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase, Pool, PoolConfig } from 'pg';
import { ANSWER_LIMIT_MS, answerWithin, type Limited, type LimitedClient } from './limited-client';
import { isDatabaseUnavailable, isServerUnable } from './errors';
import { onFreshConnection } from './fresh-connection';

/** SQLSTATE of a write that reached a server which takes none (read_only_sql_transaction). */
const READ_ONLY = '25006';
/** A connection that the network dropped silently is closed after this time. */
const CHECK_TIMEOUT_MS = 2_000;
const CHECK: Limited = { text: 'SHOW transaction_read_only', answerWithinMs: CHECK_TIMEOUT_MS };

/**
 * How long a process that starts waits for its database. A failover is over by then, and a machine on which
 * everything starts at once has answered. An orchestrator takes a process that ends for a failed start.
 */
const START_PATIENCE_MS = 30_000;
const START_PAUSE_MS = 500;

/**
 * Option of a pool: closes a new connection to a server that takes no writes, and every connection
 * on which a write is refused. After a failover the database's name may lead to the old primary for
 * a while, which is a standby now; a connection that is kept would stay there.
 */
export const dropReadOnly: NonNullable<PoolConfig['verify']> = (client, done) => {
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code === READ_ONLY) void (client as unknown as Client).end();
  });
  requireWritable(client).then(() => done(), done);
};

/** How long a process counts as unable to work after its server said so, in milliseconds: loops ask each second. */
const UNABLE_MS = 3_000;

/** When the server of a pool last answered that it cannot work, by the monotonic clock, and the SQLSTATE. */
const unable = new WeakMap<Pool, { code: string | undefined; atMs: number }>();

/** The checks of the pools of this process, after a statement of one of them had no answer. */
const checks = new Set<() => Promise<void>>();

/**
 * Checks the connections of this pool after a statement of any pool got no answer: what dropped one connection of a
 * process has usually dropped all. An idle connection is checked before its next use, a listening one at once.
 * @returns the connections that are open
 */
export function distrustAfterSilence(pool: Pool): Set<LimitedClient> {
  const open = new Set<LimitedClient>();
  checks.add(async () => {
    // One that does not answer ends itself, and so does one that waits for an answer already.
    const listening = [...open].filter(
      (one) => one.listenerCount('notification') > 0 && !one.isBusy,
    );
    await Promise.allSettled([checkIdle(pool), ...listening.map((one) => one.query(CHECK))]);
  });
  pool.on('acquire', (client) => answerWithin(client, ANSWER_LIMIT_MS));
  pool.on('remove', (client) => open.delete(client as unknown as LimitedClient));
  pool.on('connect', (connected) => {
    const client = connected as unknown as LimitedClient;
    open.add(client);
    client.onErrorCode((code) => {
      if (isServerUnable(code)) unable.set(pool, { code, atMs: performance.now() });
    });
    (client as EventEmitter).on('silent', () => checks.forEach((check) => void check()));
  });
  return open;
}

/**
 * Checks whether a pool's server accepts writes, and closes the idle connections if it does not. A locked row for which
 * all connections of the pool wait is no fault of the server, so the check does not wait for them.
 * @throws Error with code 25006, because the database cannot be reached, or with the code of a statement that it has
 *   just refused because it cannot work, such as 54000 without transaction ids: reads succeed then
 */
export async function checkWritable(pool: Pool): Promise<void> {
  const refused = unable.get(pool);
  if (refused !== undefined && performance.now() - refused.atMs < UNABLE_MS) {
    throw Object.assign(new Error('The database cannot do its work'), { code: refused.code });
  }
  try {
    await (isFull(pool) ? onFreshConnection(pool, requireWritable) : requireWritable(pool));
  } catch (error) {
    if ((error as { code?: unknown }).code === READ_ONLY) await checkIdle(pool);
    throw error;
  }
}

/**
 * Waits until a pool's server accepts writes, for a process that starts.
 * @param onFailure called with the error of each try that another one follows
 * @throws Error of the last try, after 30 s; at once if the server answers and refuses, as for a wrong password
 */
export async function untilWritable(pool: Pool, onFailure: (error: Error) => void): Promise<void> {
  const deadline = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      return await checkWritable(pool);
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error;
      onFailure(error as Error);
    }
    await sleep(START_PAUSE_MS);
  }
}

/** Whether a statement would wait until a connection is released. */
function isFull({ idleCount, totalCount, options }: Pool): boolean {
  return idleCount === 0 && totalCount >= options.max;
}

async function requireWritable(client: Pool | ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>(CHECK);
  if (rows[0]?.transaction_read_only !== 'on') return;
  throw Object.assign(new Error('The database is read-only'), { code: READ_ONLY });
}

/** Closes the idle connections that do not answer, or lead to a server that takes no writes, unless it is a replica. */
async function checkIdle(pool: Pool): Promise<void> {
  const isReplica = pool.options.verify === undefined;
  const answers = Array.from({ length: pool.idleCount }, async () => {
    const client = await pool.connect();
    await (isReplica ? client.query(CHECK) : requireWritable(client)).then(
      () => client.release(),
      () => client.release(true),
    );
  });
  await Promise.allSettled(answers);
}
