import { countDeadJobs } from '@fiado/chassis/ops-figures';
import { AGEING_BUCKETS, type PaymentFigures } from '@fiado/contracts/ops-figures';
import type { Context } from '../context';
import { findWaitingDeposits } from '../db/deposits.repository';
import { findAgeing, findPaymentsSince } from '../db/ops-figures.repository';

/** The deliveries and deposits of the day that began at `since`, and what is outstanding. */
export async function readOpsFigures(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  since: Date,
): Promise<PaymentFigures> {
  const ofDay = await findPaymentsSince(db, since);
  const waiting = await findWaitingDeposits(db);
  const unmatched = waiting.find(({ status }) => status === 'unmatched');
  const found = await findAgeing(db, clock.now());
  const dead = await countDeadJobs(db);
  return {
    asOf: dead.asOf.toISOString(),
    deadJobs: dead.count,
    ...ofDay,
    unmatchedDeposits: unmatched?.count ?? 0,
    oldestUnmatchedSeconds: Math.round(unmatched?.oldestSeconds ?? 0),
    ageing: AGEING_BUCKETS.map(
      (bucket) =>
        found.find((one) => one.bucket === bucket) ?? { bucket, receivables: 0, amountCents: 0 },
    ),
  };
}
