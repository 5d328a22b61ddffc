import type { Context } from '../context';
import { findWaitingDeposits } from '../db/deposits.repository';
import { setOldestWaitingDeposit, setWaitingDeposits } from '../metrics';

/** Tells how many deposits wait, and for how long. */
export async function sampleDeposits({ db }: Pick<Context, 'db'>): Promise<void> {
  for (const { status, count, oldestSeconds } of await findWaitingDeposits(db)) {
    setWaitingDeposits({ status }, count);
    setOldestWaitingDeposit({ status }, oldestSeconds);
  }
}
