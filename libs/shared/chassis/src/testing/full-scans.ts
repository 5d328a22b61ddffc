import type { Client } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/**
 * A table that a plan reads from its beginning to its end, itself or by one of its indexes, or of which it reads all rows
 * of a tenant and drops some.
 */
export interface FullScan {
  table: string;
  node: string;
  /** What drops rows that the scan has read. */
  filter: string | undefined;
}

/** The only condition of an index scan that reads all rows of a tenant. */
const OF_TENANT = /^\((wholesaler_id|payment_provider_id|owner_id) = [\w$."]+\)$/;

/**
 * The full scans in the plan that Postgres makes for a prepared statement whatever its values are, and keeps
 * until it analyzes a table of the statement. A scan that ends at a LIMIT is none.
 * @param client logged in as the role that sends the statement
 */
export async function fullScansOf(client: Client, text: string): Promise<FullScan[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  return rows.flatMap((row) => scansIn(row['QUERY PLAN'][0].Plan));
}

/** @param above the table of a bitmap's parent, and whether a LIMIT ends the scan */
function scansIn(node: PlanNode, above: { table?: string; isLimited?: boolean } = {}): FullScan[] {
  const type = node['Node Type'];
  const table = node['Relation Name'] ?? above.table ?? '';
  const ends = above.isLimited === true && node.Filter === undefined;
  const isFull =
    type === 'Seq Scan' ||
    (/Index (Only )?Scan$/.test(type) && node['Index Cond'] === undefined && !ends) ||
    (node.Filter !== undefined && OF_TENANT.test(node['Index Cond'] ?? ''));
  const index = node['Index Name'];
  const scan = {
    table,
    node: index === undefined ? type : `${type} by ${index}`,
    filter: node.Filter,
  };
  const isLimited = type === 'Limit' || (type === 'LockRows' && above.isLimited === true);
  return [
    ...(isFull ? [scan] : []),
    ...(node.Plans ?? []).flatMap((child) => scansIn(child, { table, isLimited })),
  ];
}
