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
import { oldestWaitingDeposit, waitingDeposits } from '../metrics';

export const opsFiguresEndpoint = internalEndpoint({
  call: paymentFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

/** The deliveries and deposits of the day that began at `since`, and what is outstanding. */
async function readOpsFigures(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
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
  const found = await findAgeing(db, clock.now());
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
    ageing: AGEING_BUCKETS.map(
      (bucket) =>
        found.find((one) => one.bucket === bucket) ?? { bucket, receivables: 0, amountCents: 0 },
    ),
  };
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

/** What is outstanding by the days that it is overdue. It reads all open debts, and no paid ones. */
function findAgeing(db: Database, now: Date): Promise<PaymentFigures['ageing']> {
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    // The planner takes open debts for spread over the table and reads all of it: 232,000 pages for 46,000 at 8 million.
    await query(tx, 'SET LOCAL enable_seqscan = off');
    return query(
      tx,
      `SELECT CASE WHEN due_at >= $1 THEN '0'
                   WHEN due_at >= $1 - interval '7 days' THEN '1-7'
                   WHEN due_at >= $1 - interval '30 days' THEN '8-30'
                   WHEN due_at >= $1 - interval '60 days' THEN '31-60'
                   ELSE '61+' END AS bucket,
              count(*)::int AS receivables, sum(${OUTSTANDING})::bigint AS "amountCents"
         FROM receivables WHERE paid_at IS NULL GROUP BY 1`,
      [now],
    );
  });
}

/** Reads how many deposits wait, and for how long. */
export async function sampleDeposits({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const rows = await findWaitingDeposits(db);
  return rows.flatMap(({ status, count, oldestSeconds }) => [
    waitingDeposits({ status }, count),
    oldestWaitingDeposit({ status }, oldestSeconds),
  ]);
}
