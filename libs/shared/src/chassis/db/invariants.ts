import { MAX_VIOLATIONS, type InvariantCheck } from '../../contracts/invariants';
import type { Db } from './database';
import { query } from './query';

/** An invariant of a service's schema, and the statement that selects the rows that violate it. */
export interface Invariant {
  /** As a fact: 'credit_entries sum up to used_cents'. */
  name: string;
  /** Selects ids, states and sums, never personal data. */
  violations: string;
}

/** Selects the rows that violate each invariant, up to MAX_VIOLATIONS of each. */
export async function checkInvariants(db: Db, invariants: Invariant[]): Promise<InvariantCheck[]> {
  const checks: InvariantCheck[] = [];
  for (const { name, violations } of invariants) {
    const rows = await query(db, `${violations} LIMIT ${MAX_VIOLATIONS}`);
    checks.push({ name, holds: rows.length === 0, violations: rows });
  }
  return checks;
}
