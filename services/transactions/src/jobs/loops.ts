import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { expireTransactions } from '../use-cases/expire-transactions';

/** How late an order may expire: nobody waits for it to the second. */
const EXPIRE_EVERY_MS = 30_000;

/** What this service does by the clock. */
export function loops(context: Context): Loop[] {
  return [
    new Loop({
      name: 'expire transactions',
      everyMs: EXPIRE_EVERY_MS,
      log: context.log,
      round: () => expireTransactions(context),
    }),
  ];
}
