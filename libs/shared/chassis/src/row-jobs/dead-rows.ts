import type { DeadRow, DeadRowsQuestion, RetriedDeadLetter } from '@fiado/contracts/dead-letters';
import type { Db } from '../db/database';
import { query, queryOne } from '../db/query';
import { createGauge, type Reading } from '../metrics';
import type { Sample } from '../sampler';
import { isDead, type RowJob } from './row-job';

/** Rows that one call retries of each job; ops repeats it while there are more. */
const MAX_RETRIED = 1_000;

const deadRows = createGauge(
  'fiado_row_jobs_dead',
  'Rows whose work failed for good, by type of job: dead letters that no queue has',
  ['schema', 'type'],
);

/** The dead letters among the rows of a service, newest first. */
export async function findDeadRows(
  db: Db,
  jobs: RowJob[],
  { start, count }: DeadRowsQuestion,
): Promise<DeadRow[]> {
  if (jobs.length === 0) return [];
  const rows = await query<Omit<DeadRow, 'createdAt' | 'failedAt'> & Times>(
    db,
    `${jobs
      .map(
        (
          job,
        ) => `SELECT id AS "jobId", '${job.type}' AS type, attempts, last_error AS failed_reason,
                         ${job.createdAt} AS created_at, dead_at AS failed_at
                    FROM ${job.table} WHERE ${isDead(job)}`,
      )
      .join(' UNION ALL ')}
     ORDER BY failed_at DESC, "jobId" DESC OFFSET $1 LIMIT $2`,
    [start, count],
  );
  return rows.map(({ createdAt, failedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    failedAt: failedAt.toISOString(),
  }));
}

interface Times {
  createdAt: Date;
  failedAt: Date;
}

/**
 * Makes dead letters due again, with all their attempts, the oldest first. Their loop finds them
 * within a second.
 * @param which one row, the rows of one type, or all
 */
export async function retryDeadRows(
  db: Db,
  jobs: RowJob[],
  which: { jobId?: string; type?: string },
): Promise<RetriedDeadLetter[]> {
  const retried: RetriedDeadLetter[] = [];
  for (const job of jobs) {
    if (which.type !== undefined && which.type !== job.type) continue;
    const rows = await query<{ id: string; createdAt: Date }>(
      db,
      `UPDATE ${job.table} SET dead_at = NULL, attempts = 0, next_attempt_at = now()
        WHERE id = ANY (ARRAY (SELECT id FROM ${job.table}
                                WHERE ${isDead(job)} AND ($1::uuid IS NULL OR id = $1)
                                ORDER BY dead_at, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))
       RETURNING id, ${job.createdAt} AS created_at`,
      [which.jobId, MAX_RETRIED],
    );
    for (const { id: jobId, createdAt } of rows) {
      retried.push({ jobId, type: job.type, createdAt: createdAt.toISOString() });
    }
  }
  return retried;
}

/** How many rows of a job are dead letters. */
export async function countDeadRows(db: Db, job: RowJob): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `SELECT count(*)::int AS count FROM ${job.table} WHERE ${isDead(job)}`,
  );
  return count;
}

/** The dead letters among the rows of a service. */
export function deadRowsSample(db: Db, schema: string, jobs: RowJob[]): Sample {
  return {
    name: 'row jobs',
    read: (): Promise<Reading[]> =>
      Promise.all(
        jobs.map(async (job) => deadRows({ schema, type: job.type }, await countDeadRows(db, job))),
      ),
  };
}
