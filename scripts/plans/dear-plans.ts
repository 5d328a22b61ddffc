import { roleOf } from '@fiado/chassis/db/roles';
import { Client, escapeIdentifier } from 'pg';
import type { Recorded } from './record-statements';
import { ASKED_FOR } from './seed-values';

/** A statement whose plan reads much more than it needs, or that could not be planned. */
export interface DearPlan extends Recorded {
  /** The problem of the plan. */
  fault: string;
}

/** From so many rows on a table is large; a scan of a smaller one is judged by its pages. */
const LARGE_TABLE = 150_000;
/** Pages of 8 kB that a statement may read or write, and how many more for each row it returns or writes. */
const MAX_PAGES = 1_000;
const PAGES_FOR_A_ROW = 50;
/** Rows that an index scan may read and not return, such as those of another tenant. */
const MAX_PASSED_ROWS = 2_000;
/** Pages of one look-up in an index: its levels, and the row. */
const PAGES_OF_A_LOOK_UP = 5;
/** Hexadecimal characters of the 2 kB that PostgreSQL stores as a row of its own (TOAST), of a long value. */
const CHARACTERS_OF_A_CHUNK = 4_000;
/** Pages that an index scan may read beyond those of its look-ups and rows. */
const MAX_PASSED_PAGES = 200;

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
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
    const large = await tablesWithRows(owner, LARGE_TABLE);
    const found: DearPlan[] = [];
    // Rows that others write and roll back stay until a vacuum, and would be read past.
    const readers = statements.filter(({ text }) => isReader(text));
    const writers = statements.filter(({ text }) => !isReader(text));
    for (const statement of [...readers, ...writers]) {
      found.push(...(await dearIn(owner, large, statement)));
    }
    return found;
  } finally {
    await owner.end();
  }
}

/** The names of the tables that have at least so many rows. */
export async function tablesWithRows(owner: Client, least: number): Promise<Set<string>> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT DISTINCT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples >= $1`,
    [least],
  );
  return new Set(rows.map(({ name }) => name));
}

const isReader = (text: string): boolean =>
  /^\s*SELECT\b/i.test(text) && !/\bFOR (NO KEY )?UPDATE\b/i.test(text);

async function dearIn(owner: Client, large: Set<string>, statement: Recorded): Promise<DearPlan[]> {
  const faults = await planOf(owner, statement).then(
    (plan) => faultsIn(plan, large, pagesOfValues(statement)),
    (error: unknown) => [error instanceof Error ? error.message : String(error)],
  );
  return faults.map((fault) => ({ ...statement, fault }));
}

function faultsIn(plan: PlanNode, large: Set<string>, pagesOfParameters: number): string[] {
  const nodes = nodesOf(plan);
  const scans = nodes.filter((node) => isFullScan(node, large));
  const pages = pagesOf(plan);
  const tooMany = pages > MAX_PAGES + PAGES_FOR_A_ROW * rowsOf(plan) + pagesOfParameters;
  return [
    ...scans.map((node) => `${node['Node Type']} of ${node['Relation Name']}`),
    ...nodes.flatMap((node) =>
      passedBy(node, nodes).map(
        (passed) => `${passed} are passed by the ${node['Node Type']} of ${node['Relation Name']}`,
      ),
    ),
    ...(tooMany ? [`${pages} pages`] : []),
  ];
}

/**
 * What an index scan reads and does not return. A plan counts the rows that a filter removes, and not the
 * entries that are passed within the index: of these only the pages are known. So are those of a scan that
 * reads the index alone.
 */
function passedBy(node: PlanNode, all: PlanNode[]): string[] {
  if (!/^(Index|Bitmap Heap)/.test(node['Node Type'])) return [];
  const loops = node['Actual Loops'] ?? 0;
  const rows = (node['Rows Removed by Filter'] ?? 0) * loops;
  const readsRows = node['Node Type'] !== 'Index Only Scan';
  if (readsRows && rows > MAX_PASSED_ROWS) return [`${Math.round(rows)} rows`];
  const lookUps = loops * (1 + (node['Actual Rows'] ?? 0));
  const pages = pagesOfScan(node, all) - PAGES_OF_A_LOOK_UP * lookUps;
  return pages > MAX_PASSED_PAGES ? [`${Math.round(pages)} pages`] : [];
}

/**
 * The pages of a scan without those of its subqueries. One that is read once, wherever it stands in the plan,
 * is counted for the first node that asks for its value.
 */
function pagesOfScan(node: PlanNode, all: PlanNode[]): number {
  const own = (node.Plans ?? []).filter((child) => child['Parent Relationship'] === 'SubPlan');
  const once = all.filter((other) => other['Parent Relationship'] === 'InitPlan');
  return [...own, ...once].reduce((pages, subquery) => {
    const left = pages - pagesOf(subquery);
    return left < 0 ? pages : left;
  }, pagesOf(node));
}

/** Rows that a statement returns or writes. */
function rowsOf(plan: PlanNode): number {
  const written = nodesOf(plan).filter((node) => node['Node Type'] === 'ModifyTable');
  const sources = written.flatMap(({ Plans = [] }) =>
    Plans.filter((child) => child['Parent Relationship'] === 'Outer'),
  );
  return [plan, ...sources].reduce((rows, node) => rows + (node['Actual Rows'] ?? 0), 0);
}

/** Pages that long values of a call take to be written. */
function pagesOfValues({ values }: Recorded): number {
  const chunks = values.map((value) => Math.floor(value.length / CHARACTERS_OF_A_CHUNK));
  return chunks.reduce((pages, count) => pages + PAGES_OF_A_LOOK_UP * count, 0);
}

const SET_LIMITS = `
  SELECT set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true)
    FROM pg_roles, unnest(rolconfig) setting WHERE rolname = $1 AND setting NOT LIKE '%timeout=%'`;

/** Runs a statement without effect; one that conflicts with a row of the seed is only planned. */
async function planOf(owner: Client, { schema, text, values, long }: Recorded): Promise<PlanNode> {
  const call = values.length === 0 ? '' : `(${values.map(seeded).join(', ')})`;
  const explain = async (options: string): Promise<PlanNode> => {
    await owner.query('BEGIN');
    try {
      await owner.query(`SET LOCAL search_path = ${escapeIdentifier(schema)}`);
      // A role's settings count for its own sessions. Its time limits would end a slow plan unseen.
      if (!long) await owner.query(SET_LIMITS, [roleOf(schema)]);
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
  const analyze = () => explain('ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON');
  // Once before: the first scan of an index passes the entries that its own writers rolled back.
  return analyze()
    .then(analyze)
    .catch(() => explain('FORMAT JSON'));
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
