import { countDeadJobs } from '@fiado/chassis/ops-figures';
import type { MessageFigures } from '@fiado/contracts/ops-figures';
import type { Context } from '../context';
import { countMessagesSince } from '../db/ops-figures.repository';

/** The SMS of the day that began at `since`, and the webhooks that fail now. */
export async function readOpsFigures(
  { db }: Pick<Context, 'db'>,
  since: Date,
): Promise<MessageFigures> {
  const counts = await countMessagesSince(db, since);
  const dead = await countDeadJobs(db);
  return { asOf: dead.asOf.toISOString(), deadJobs: dead.count, ...counts };
}
