import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { findDueNotices } from '../db/notices.repository';
import { dueNotices, oldestDueNotice } from '../metrics';

/** Reads how many notices are due, and for how long. Those that wait for the day are not due. */
export async function sampleNotices({ db }: Pick<Context, 'db'>): Promise<Reading[]> {
  const { count, oldestSeconds } = await findDueNotices(db);
  return [dueNotices({}, count), oldestDueNotice({}, oldestSeconds)];
}
