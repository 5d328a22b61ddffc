/**
 * Work that rows are waiting for, done by a loop of their own service: a job without an outbox row and a queue (ADR
 * 87). Its table has the columns `attempts`, `next_attempt_at`, `last_error`, `dead_at`, `request_id` and
 * `traceparent`.
 */
export interface RowJob {
  /** Type of the job, as ops sees it. Its id is the row's. */
  type: string;
  /** Name of the loop. */
  loop: string;
  table: string;
  /** SQL: whether the work is still to be done. */
  isOpen: string;
  /** Column with the id of the tenant: tenants take turns. */
  tenant: string;
  /** Column with the time since when the work waits. */
  createdAt: string;
}

/** SQL: whether a row waits for its work, as in the index of the claim. */
export function isWaiting({ isOpen }: RowJob): string {
  return `${isOpen} AND dead_at IS NULL`;
}

/** SQL: whether the work of a row failed for good. */
export function isDead({ isOpen }: RowJob): string {
  return `${isOpen} AND dead_at IS NOT NULL`;
}
