import type { Client } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** A table or index that a plan reads from its beginning to its end. */
export interface FullScan {
  relation: string;
  node: string;
}

/**
 * The full scans in the plan that Postgres makes for a prepared statement whatever its values are, and keeps
 * until it analyzes a table of the statement. A scan that ends at a LIMIT is none.
 * @param client logged in as the role that sends the statement
 */
export async function fullScansOf(client: Client, text: string): Promise<FullScan[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  return rows.flatMap((row) => scansIn(row['QUERY PLAN'][0].Plan, false));
}

function scansIn(node: PlanNode, isLimited: boolean): FullScan[] {
  const type = node['Node Type'];
  const of = (relation = ''): FullScan[] => [{ relation, node: type }];
  const isFull = node['Index Cond'] === undefined && !(isLimited && node.Filter === undefined);
  const passesLimit = type === 'Limit' || (isLimited && type === 'LockRows');
  return [
    ...(type === 'Seq Scan' ? of(node['Relation Name']) : []),
    ...(/Index (Only )?Scan$/.test(type) && isFull ? of(node['Index Name']) : []),
    ...(node.Plans ?? []).flatMap((child) => scansIn(child, passesLimit)),
  ];
}
