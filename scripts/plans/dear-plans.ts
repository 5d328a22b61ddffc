import { roleOf } from '@fiado/chassis/db/roles';
import { Client, escapeIdentifier } from 'pg';
import type { Recorded } from './record-statements';
import { ASKED_FOR } from './seed';

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
/** Rows that an index scan may read and not return, such as those of another tenant. */
const MAX_PASSED_ROWS = 2_000;
/** Pages of one look-up in an index: its levels, and the row. */
const PAGES_OF_A_LOOK_UP = 5;
/** Pages that an index scan may read beyond those of its look-ups and rows. */
const MAX_PASSED_PAGES = 200;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  /** On average of the loops. */
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
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
  const pages = pagesOf(plan);
  const tooMany = pages > MAX_PAGES + PAGES_FOR_A_ROW * (plan['Actual Rows'] ?? 0);
  return [
    ...scans.map((node) => `${node['Node Type']} of ${node['Relation Name']}`),
    ...nodesOf(plan).flatMap((node) =>
      passedBy(node).map(
        (passed) => `${passed} are passed by the ${node['Node Type']} of ${node['Relation Name']}`,
      ),
    ),
    ...(tooMany ? [`${pages} pages`] : []),
  ];
}

/**
 * What an index scan reads and does not return. A plan counts the rows that a filter removes, and not the
 * entries that are passed within the index: of these only the pages are known.
 */
function passedBy(node: PlanNode): string[] {
  if (!/^(Index|Bitmap Heap)/.test(node['Node Type'])) return [];
  const loops = node['Actual Loops'] ?? 0;
  const rows = (node['Rows Removed by Filter'] ?? 0) * loops;
  if (rows > MAX_PASSED_ROWS) return [`${Math.round(rows)} rows`];
  const lookUps = loops * (1 + (node['Actual Rows'] ?? 0));
  const pages = pagesOf(node) - PAGES_OF_A_LOOK_UP * lookUps;
  return pages > MAX_PASSED_PAGES ? [`${Math.round(pages)} pages`] : [];
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

/** Ids of the tests are not in the filled tables. */
function seeded(literal: string): string {
  return literal.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, ASKED_FOR);
}

function pagesOf(node: PlanNode): number {
  return (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function isFullScan(node: PlanNode, large: Set<string>): boolean {
  return node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? '');
}
