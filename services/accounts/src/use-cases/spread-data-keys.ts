import { query } from '@fiado/chassis/db/query';
import { readDataKeys } from '@fiado/chassis/keys/data-key-rows';
import { Loop } from '@fiado/chassis/loop';
import type { Context } from '../context';
import { askSealing } from '../steps/ask-sealing';

/** How often the keys are sent. A rotation waits for it a few times. */
const SPREAD_EVERY_MS = 10_000;

/** Sends the data keys to the other services, and lets the newest seal once all processes open it. */
export function createDataKeySpread(context: Context): Loop {
  return new Loop(context.log, {
    name: 'spread data keys',
    everyMs: SPREAD_EVERY_MS,
    round: () => spreadDataKeys(context),
  });
}

/**
 * One round. Until the first rotation there is nothing to send, because each service derives key 0.
 * @returns whether the newest key seals from now on
 */
export async function spreadDataKeys(context: Context): Promise<boolean> {
  const { db, log } = context;
  const newest = (await readDataKeys(db)).filter(({ kind }) => kind === 'seal').at(-1);
  if (newest === undefined || newest.number === 0) return false;
  const { services, missing } = await askSealing(context);
  if (newest.isSealing || missing.length > 0) return false;
  if (services.some(({ status }) => status.held < newest.number)) return false;
  await query(
    db,
    `UPDATE data_keys SET sealing_from = now()
      WHERE kind = 'seal' AND number = $1 AND sealing_from IS NULL`,
    [newest.number],
  );
  log.info({ dataKey: newest.number }, 'values are sealed with a new data key');
  return true;
}
