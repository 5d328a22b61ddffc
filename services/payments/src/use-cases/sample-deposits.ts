import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { findWaitingDeposits } from '../db/deposits.repository';
import { oldestWaitingDeposit, waitingDeposits } from '../metrics';

/** Reads how many deposits wait, and for how long. */
export async function sampleDeposits({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const rows = await findWaitingDeposits(db);
  return rows.flatMap(({ status, count, oldestSeconds }) => [
    waitingDeposits({ status }, count),
    oldestWaitingDeposit({ status }, oldestSeconds),
  ]);
}
