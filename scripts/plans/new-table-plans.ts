import { serviceDatabaseUrl } from '@fiado/chassis/db/roles';
import { fullScansOf } from '@fiado/chassis/testing/full-scans';
import { type DearPlan, tablesWithRows } from './dear-plans';
import type { Recorded } from './record-statements';
import { withClient } from './seed';

/** Rows of a table that a statement cannot read as a whole for each order: some 5 ms. */
const GROWN = 50_000;

/**
 * Plans every prepared statement on new tables. Postgres keeps such a plan until it analyzes the tables: a full
 * scan costs nothing at first, and more with each row.
 * @param emptyUrl a database with every schema, that was never analyzed
 * @param seededUrl one that shows which tables grow
 */
export async function newTablePlansOf(
  { emptyUrl, seededUrl }: { emptyUrl: string; seededUrl: string },
  statements: Recorded[],
): Promise<DearPlan[]> {
  const grown = await withClient(seededUrl, (owner) => tablesWithRows(owner, GROWN));
  const prepared = statements.filter(({ name, long }) => name !== undefined && !long);
  const distinct = new Map(
    prepared.map((statement) => [`${statement.schema} ${statement.text}`, statement]),
  );
  const found: DearPlan[] = [];
  for (const statement of distinct.values()) {
    const scans = await withClient(serviceDatabaseUrl(emptyUrl, statement.schema), (client) =>
      fullScansOf(client, statement.text),
    );
    for (const { node, table } of scans.filter((scan) => grown.has(scan.table))) {
      const fault = `${statement.name} has a ${node} of ${table}, planned while it is new`;
      found.push({ ...statement, fault });
    }
  }
  return found;
}
