import { escapeIdentifier, type Client } from 'pg';
import type { Database } from './database';
import { query } from './query';
import { roleOf } from './roles';

/** Limits of every session of a service's role, in milliseconds. */
const LIMITS = {
  /** Longest single statement: a request's whole budget is 8 s. */
  statement_timeout: 5_000,
  /** Longest wait for a row lock; a hot credit line waits far less. */
  lock_timeout: 2_000,
  /** The process of a transaction that is idle for this long is gone. */
  idle_in_transaction_session_timeout: 10_000,
};

/** Sets the limits of a service's role. They count for sessions that begin afterwards. */
export async function setRoleLimits(owner: Client, schema: string): Promise<void> {
  for (const [name, ms] of Object.entries(LIMITS)) {
    await owner.query(`ALTER ROLE ${escapeIdentifier(roleOf(schema))} SET ${name} = ${ms}`);
  }
}

/** @throws Error when a service's role has no limits: the migration before this build made none */
export async function requireRoleLimits(db: Database, schema: string): Promise<void> {
  const set = await query(
    db,
    `SELECT FROM pg_roles, unnest(rolconfig) AS setting
      WHERE rolname = current_user AND setting LIKE 'statement_timeout=%'`,
  );
  if (set.length > 0) return;
  throw new Error(`The role ${roleOf(schema)} has no statement_timeout: run migrate`);
}
