import type { Database, Db } from '@fiado/chassis/db/database';
import { allowLongStatements, query, queryOne } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import type { Reading } from '@fiado/chassis/metrics';
import { countDeadJobs, sampledFigures } from '@fiado/chassis/ops-figures';
import { countDeadRows } from '@fiado/chassis/row-jobs/dead-rows';
import {
  AGEING_BUCKETS,
  type PaymentFigures,
  paymentFiguresCall,
} from '@fiado/contracts/ops-figures';
import type { Context } from '../context';
import { OUTSTANDING } from '../debts/receivable';
import { DEPOSITS_TO_APPLY, type DepositStatus } from '../deposits/deposit';
import { parOf, type PortfolioBucket } from '../portfolio/portfolio.rules';
import { findTotals } from '../portfolio/totals.sql';
import { oldestWaitingDeposit, waitingDeposits } from '../metrics';

export const opsFiguresEndpoint = internalEndpoint({
  call: paymentFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

/** The deliveries and deposits of the day that began at `since`, and what is outstanding. */
async function readOpsFigures(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  since: Date,
): Promise<PaymentFigures> {
  const ofDay = await queryOne<
    Pick<PaymentFigures, 'deliveries' | 'deliveredCents' | 'deposits' | 'depositedCents'>
  >(
    db,
    `SELECT delivery.count AS deliveries, delivery.cents AS "deliveredCents",
            deposit.count AS deposits, deposit.cents AS "depositedCents"
       FROM (SELECT count(*)::int, coalesce(sum(principal_cents), 0)::bigint AS cents
               FROM receivables WHERE opened_at >= $1) delivery,
            (SELECT count(*)::int, coalesce(sum(valor_cents), 0)::bigint AS cents
               FROM deposits WHERE received_at >= $1) deposit`,
    [since],
  );
  const waiting = await findWaitingDeposits(db);
  const unmatched = waiting.find(({ status }) => status === 'unmatched');
  const now = clock.now();
  const found = await findAgeing(db, now);
  const early = config.FIADO_MODE === 'sandbox' ? await findEarlyDefaults(db, now) : NONE;
  const last = await findPar30(db);
  const dead = await countDeadJobs(db);
  const deadDeposits = await countDeadRows(db, DEPOSITS_TO_APPLY);
  return {
    asOf: dead.asOf.toISOString(),
    deadJobs: dead.count + deadDeposits,
    ...ofDay,
    unmatchedDeposits: unmatched?.count ?? 0,
    oldestUnmatchedSeconds: Math.round(unmatched?.oldestSeconds ?? 0),
    par30: last?.ratio ?? null,
    par30AsOf: last?.day ?? null,
    ageing: AGEING_BUCKETS.map((bucket) => {
      const { receivables, amountCents } = found.find((one) => one.bucket === bucket) ?? NONE;
      const moved = bucket === '0' ? -1 : bucket === '1-7' ? 1 : 0;
      return {
        bucket,
        receivables: receivables + moved * early.receivables,
        amountCents: amountCents + moved * early.amountCents,
      };
    }),
  };
}

type Owed = Omit<PaymentFigures['ageing'][number], 'bucket'>;

const NONE: Owed = { receivables: 0, amountCents: 0 };

/** Defaults before their last day, which only a sandbox has: they are overdue, as in the list of debts. */
function findEarlyDefaults(db: Db, now: Date): Promise<Owed> {
  return queryOne<Owed>(
    db,
    `SELECT count(*)::int AS receivables, coalesce(sum(${OUTSTANDING}), 0)::bigint AS "amountCents"
       FROM receivables WHERE in_default AND due_at >= $1`,
    [now],
  );
}

/** How many deposits wait in each of the two states, and since when, on the database's clock. */
function findWaitingDeposits(
  db: Db,
): Promise<Array<{ status: DepositStatus; count: number; oldestSeconds: number }>> {
  return query(
    db,
    `SELECT waiting.status, count(deposits.id) AS count,
            coalesce(EXTRACT(EPOCH FROM now() - min(received_at)), 0)::float8 AS "oldestSeconds"
       FROM (VALUES ('received'), ('unmatched')) AS waiting (status)
       -- The second condition is that of the index deposits_to_do.
       LEFT JOIN deposits ON deposits.status = waiting.status AND deposits.status <> 'applied'
      GROUP BY waiting.status`,
  );
}

/** PAR30 of the last day that is in the books. */
async function findPar30(db: Db): Promise<{ day: string; ratio: number | null } | undefined> {
  const rows = await query<{
    day: string;
    bucket: PortfolioBucket | null;
    principalCents: number;
  }>(
    db,
    `SELECT last.day::text, bucket, coalesce(sum(principal_cents), 0)::bigint AS principal_cents
       FROM (SELECT day FROM portfolio_calendar ORDER BY day DESC LIMIT 1) last
       LEFT JOIN portfolio_days USING (day) GROUP BY last.day, bucket`,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const owed = rows.flatMap(({ bucket, principalCents }) =>
    bucket === null ? [] : [{ bucket, principalCents }],
  );
  return { day: first.day, ratio: parOf(owed).par30.ratio };
}

/** SQL: the bucket of a moment to pay; $1 is now. */
const BUCKET = `
  CASE WHEN due_at >= $1 THEN '0'
       WHEN due_at >= $1 - interval '7 days' THEN '1-7'
       WHEN due_at >= $1 - interval '30 days' THEN '8-30'
       WHEN due_at >= $1 - interval '60 days' THEN '31-60'
       ELSE '61+' END`;

/**
 * The outstanding amount by days overdue: the totals of the last day of the portfolio, and the debts with ledger
 * entries since.
 */
export function findAgeing(db: Database, now: Date): Promise<PaymentFigures['ageing']> {
  return db.snapshot(async (tx) => {
    await allowLongStatements(tx);
    // The planner knows little of the last hours, and would read whole tables for them.
    await query(tx, 'SET LOCAL enable_seqscan = off');
    const totals = await findTotals(tx);
    return totals?.isComplete === true
      ? query(tx, AGEING_SINCE_TOTALS, [now, totals.endsAt])
      : query(tx, AGEING_OF_ALL, [now]);
  });
}

/** $1: now, $2: the midnight that the totals are of. */
const AGEING_SINCE_TOTALS = `
  WITH since AS (
    SELECT receivable_id, sum(principal_cents + interest_cents + iva_cents)::bigint AS cents
      FROM receivable_entries WHERE created_at >= $2 GROUP BY receivable_id
  ),
  -- What is owed now, less what was owed then.
  changed AS (
    SELECT due_at, (paid_at IS NULL)::int - (opened_at < $2 AND ${OUTSTANDING} <> cents)::int AS debts,
           CASE WHEN opened_at < $2 THEN cents ELSE ${OUTSTANDING} END AS cents
      FROM since
     -- By id, one after the other: the planner would join all debts (OFFSET keeps it from that).
     CROSS JOIN LATERAL (SELECT * FROM receivables WHERE id = receivable_id OFFSET 0) receivable
  )
  SELECT ${BUCKET} AS bucket, sum(debts)::int AS receivables, sum(cents)::bigint AS "amountCents"
    FROM (SELECT due_at, debts, principal_cents + interest_cents + iva_cents AS cents
            FROM portfolio_totals WHERE debts <> 0
          UNION ALL SELECT * FROM changed) owed
   GROUP BY 1 HAVING sum(debts) <> 0`;

/** While the totals are made for the first time. */
const AGEING_OF_ALL = `
  SELECT ${BUCKET} AS bucket, count(*)::int AS receivables, sum(${OUTSTANDING})::bigint AS "amountCents"
    FROM receivables WHERE paid_at IS NULL GROUP BY 1`;

/** Reads how many deposits wait, and for how long. */
export async function sampleDeposits({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const rows = await findWaitingDeposits(db);
  return rows.flatMap(({ status, count, oldestSeconds }) => [
    waitingDeposits({ status }, count),
    oldestWaitingDeposit({ status }, oldestSeconds),
  ]);
}
