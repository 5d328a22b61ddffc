import type { Database } from '../db/database';
import type { Lane } from '../lanes/lane';
import { until } from './until';

/**
 * Makes calls whose items wait in that lane until all of them do, so that they leave as one batch.
 * @returns the promises of the calls
 */
export async function inOneBatch<Result>(
  lane: Pick<Lane<unknown, unknown>, 'pause' | 'resume' | 'size'>,
  calls: Array<() => Promise<Result>>,
): Promise<Array<Promise<Result>>> {
  lane.pause();
  const results = calls.map((call) => call());
  try {
    await until('all items wait', async () => lane.size === calls.length);
  } finally {
    lane.resume();
  }
  return results;
}

/** How many statements with that text a service sends, outside of database transactions, during work. */
export async function statementsDuring(
  { connection }: Database,
  text: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const query = connection.query.bind(connection);
  let sent = 0;
  connection.query = ((...values: unknown[]) => {
    if (JSON.stringify(values[0]).includes(text)) sent += 1;
    return Reflect.apply(query, undefined, values);
  }) as typeof query;
  try {
    await work();
    return sent;
  } finally {
    // Back to the method of its class.
    Reflect.deleteProperty(connection, 'query');
  }
}
