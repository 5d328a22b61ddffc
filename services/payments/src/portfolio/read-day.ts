import type { Database } from '@fiado/chassis/db/database';
import { allowLongStatements, queryOne } from '@fiado/chassis/db/query';
import type { Context } from '../context';
import { type BookDay, type Books, readBooks, SETTLED_AFTER } from './books.sql';

/** What the loop of the portfolio works with. */
export type PortfolioContext = Pick<Context, 'db' | 'replica' | 'config' | 'log'>;

interface ReadDay {
  books: Books;
  readFrom: 'replica' | 'primary';
}

/**
 * Reads the books of a day that is over, in one snapshot: of the replica once that has all of the day,
 * and otherwise of the primary.
 * @param first where the first day of the portfolio began
 */
export async function readDay(
  { db, replica, config, log }: PortfolioContext,
  day: BookDay,
  first: Date,
): Promise<ReadDay> {
  const read = (from: Database) =>
    from.snapshot(async (tx) => {
      await allowLongStatements(tx);
      return readBooks(tx, day, { timeZone: config.TIME_ZONE, first });
    });
  if (replica !== undefined) {
    try {
      if (await hasAllOf(replica, day)) return { books: await read(replica), readFrom: 'replica' };
      log.info({ day: day.day }, 'the replica does not have the day yet');
    } catch (error) {
      // It cannot be reached, or has ended a statement that kept it from replaying.
      log.warn({ day: day.day, err: error }, 'the day cannot be read from the replica');
    }
  }
  return { books: await read(db), readFrom: 'primary' };
}

/**
 * Whether a server is a replica that has replayed a commit after the day was settled. Asked before the
 * snapshot begins, which then has at least as much. A server that was promoted may have lost some.
 */
async function hasAllOf(replica: Database, { endsAt }: BookDay): Promise<boolean> {
  const { hasAll } = await queryOne<{ hasAll: boolean }>(
    replica,
    `SELECT coalesce(pg_is_in_recovery()
                     AND pg_last_xact_replay_timestamp() >= $1::timestamptz + ${SETTLED_AFTER}, false)
              AS has_all`,
    [endsAt],
  );
  return hasAll;
}
