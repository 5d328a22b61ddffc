import { roleOf } from '@fiado/chassis/db/roles';
import { Client, escapeIdentifier } from 'pg';
import type { Recorded } from './record-statements';

/** A statement whose plan reads much more than it needs, or that could not be planned. */
export interface DearPlan extends Recorded {
  /** The problem of the plan. */
  fault: string;
}

/** From so many rows on a table is large; a scan of a smaller one is judged by its pages. */
const LARGE_TABLE = 200_000;
/** Pages of 8 kB that a statement may read or write, and how many more for each row it returns. */
const MAX_PAGES = 1_000;
const PAGES_FOR_A_ROW = 50;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** Runs every statement on the filled database, as the role of its service. */
export async function dearPlansOf(
  databaseUrl: string,
  statements: Recorded[],
): Promise<DearPlan[]> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    // Ids of the tests refer to nothing here.
    await owner.query('SET session_replication_role = replica');
    // As pg sends them: planned for the values of the call.
    await owner.query(`SET plan_cache_mode = force_custom_plan`);
    const { rows } = await owner.query<{ name: string }>(
      `SELECT DISTINCT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples >= $1`,
      [LARGE_TABLE],
    );
    const large = new Set(rows.map(({ name }) => name));
    const found: DearPlan[] = [];
    for (const statement of statements) found.push(...(await dearIn(owner, large, statement)));
    return found;
  } finally {
    await owner.end();
  }
}

async function dearIn(owner: Client, large: Set<string>, statement: Recorded): Promise<DearPlan[]> {
  const faults = await planOf(owner, statement).then(
    (plan) => faultsIn(plan, large),
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
  return faults.map((fault) => ({ ...statement, fault }));
}

function faultsIn(plan: PlanNode, large: Set<string>): string[] {
  const scans = nodesOf(plan).filter((node) => isFullScan(node, large));
  const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  const tooMany = pages > MAX_PAGES + PAGES_FOR_A_ROW * (plan['Actual Rows'] ?? 0);
  return [
    ...scans.map((node) => `${node['Node Type']} of ${node['Relation Name']}`),
    ...(tooMany ? [`${pages} pages`] : []),
  ];
}

/** Runs a statement without effect; one that conflicts with a row of the seed is only planned. */
async function planOf(owner: Client, { schema, text, values }: Recorded): Promise<PlanNode> {
  const call = values.length === 0 ? '' : `(${values.map(seeded).join(', ')})`;
  const explain = async (options: string): Promise<PlanNode> => {
    await owner.query('BEGIN');
    try {
      await owner.query(`SET LOCAL search_path = ${escapeIdentifier(schema)}`);
      await owner.query(`SET LOCAL ROLE ${escapeIdentifier(roleOf(schema))}`);
      await owner.query(`PREPARE statement AS ${text}`);
      const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (${options}) EXECUTE statement${call}`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan === undefined) throw new Error('EXPLAIN gave no plan');
      return plan;
    } finally {
      await owner.query('ROLLBACK');
      await owner.query('DEALLOCATE ALL');
    }
  };
  return explain('ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON').catch(() => explain('FORMAT JSON'));
}

/** Ids of the tests are not in the filled tables; this one is, in all of them. */
function seeded(literal: string): string {
  const id = '00000000-0000-4000-8000-000000000007';
  return literal.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, id);
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function isFullScan(node: PlanNode, large: Set<string>): boolean {
  return node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? '');
}
