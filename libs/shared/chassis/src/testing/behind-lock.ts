import { asOwner } from './as-owner';
import type { TestService } from './service';
import { until } from './until';

/** How many statements of the service wait for a lock. */
export async function waitingForLocks({
  rows,
}: Pick<TestService<unknown>, 'rows'>): Promise<number> {
  const [row] = await rows<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

/**
 * Begins each work behind a lock that the owner of the database holds, once the one before it waits
 * or is over, and then lets go of the lock. A statement waits two seconds: on a busy machine the
 * second work may begin later than that, so its test is tried again.
 * @param lock a statement that names the schema of its table, and its values
 * @returns the outcomes in the order of the works
 */
export async function behindLock<Result>(
  service: Pick<TestService<unknown>, 'ownerUrl' | 'rows'>,
  [lock, ...values]: [lock: string, id?: string],
  works: Array<() => Promise<Result>>,
): Promise<Array<PromiseSettledResult<Result>>> {
  const begun: Array<Promise<Array<PromiseSettledResult<Result>>>> = [];
  let over = 0;
  // The end of the owner's connection lets go of the lock.
  await asOwner(service.ownerUrl, async (owner) => {
    await owner.query('BEGIN');
    await owner.query(lock, values);
    for (const work of works) {
      begun.push(
        Promise.allSettled([work()]).finally(() => {
          over += 1;
        }),
      );
      await until(
        'it waits or is over',
        async () => over + (await waitingForLocks(service)) >= begun.length,
      );
    }
    await owner.query('COMMIT');
  });
  return (await Promise.all(begun)).flat();
}
