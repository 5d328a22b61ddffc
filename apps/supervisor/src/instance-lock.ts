import { setTimeout as pause } from 'node:timers/promises';

import { Client } from 'pg';

import type { Say } from './say';
import { messageOf } from './startup-error';

/** Held by the one supervisor of a database. Spells "fiado" in ASCII. */
const SUPERVISOR_LOCK = 0x666961646f;

/** The server may need a moment to notice that the connection of a killed process is gone. */
const GRACE_MS = 1_000;
const POLL_MS = 100;

const CONNECT_TIMEOUT_MS = 5_000;

/** Delay between attempts to reconnect, doubling. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

export interface InstanceLockOptions {
  say: Say;
  /** Restarts the database if it is the embedded one, and returns its URL. */
  revive: () => Promise<string>;
  /** Another supervisor has the lock now: this one must stop. */
  onTaken: () => void;
}

/**
 * The advisory lock that makes a supervisor the only one of its database, on its own connection.
 */
export class InstanceLock {
  #client: Client | undefined;
  #released = false;

  constructor(private readonly options: InstanceLockOptions) {}

  /** False when another supervisor holds it. */
  async acquire(databaseUrl: string): Promise<boolean> {
    const client = new Client({
      connectionString: databaseUrl,
      application_name: 'fiado-supervisor',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => undefined); // 'end' follows with the reason
    try {
      await client.connect();
      if (!(await lockWithin(client, GRACE_MS))) {
        await client.end();
        return false;
      }
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    client.once('end', () => void this.#regain());
    return true;
  }

  /** From now on a lost connection is expected; `release` closes it. */
  expectEnd(): void {
    this.#released = true;
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #regain(): Promise<void> {
    const { say, revive, onTaken } = this.options;
    let lastReason = '';

    for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LAST_RETRY_MS)) {
      if (this.#released) return;
      if (lastReason === '') say('the connection to the database was lost; reconnecting');
      try {
        if (await this.acquire(await revive())) return say('connected to the database again');
        return onTaken();
      } catch (error) {
        if (this.#released) return;
        const reason = messageOf(error);
        if (reason !== lastReason) say(`the database is unavailable, retrying: ${reason}`);
        lastReason = reason;
      }
      await pause(delay, undefined, { ref: false });
    }
  }
}

async function lockWithin(client: Client, graceMs: number): Promise<boolean> {
  const deadline = Date.now() + graceMs;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS locked',
      [SUPERVISOR_LOCK],
    );
    if (rows[0]?.locked) return true;
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
}
