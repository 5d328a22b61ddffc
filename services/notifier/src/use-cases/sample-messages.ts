import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { countWaiting, oldestPendingSeconds } from '../db/waiting-messages';
import { oldestDue, oldestPending, WAITING_REASONS, waitingMessages } from '../metrics';

/** Reads how many messages wait, for what and for how long. */
export async function sampleMessages({
  db,
  smsBreaker,
}: Pick<Context, 'db' | 'smsBreaker'>): Promise<Reading[]> {
  const waiting = await countWaiting(db);
  const due = waiting.find(({ reason }) => reason === 'due');
  const counts = new Map(
    waiting.map(({ reason, count }) => [
      reason === 'due' && !smsBreaker.isClosed ? 'provider-away' : reason,
      count,
    ]),
  );
  return [
    ...WAITING_REASONS.map((reason) => waitingMessages({ reason }, counts.get(reason) ?? 0)),
    oldestDue({}, due?.oldestDueSeconds ?? 0),
    oldestPending({}, await oldestPendingSeconds(db)),
  ];
}
