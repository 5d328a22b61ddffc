import { setTimeout as sleep } from 'node:timers/promises';
import { guardRow } from '@fiado/chassis/guard-row';
import type { Context } from '../context';
import type { ClaimedMessage } from '../db/claim-messages';
import { claimMessages } from '../steps/claim-messages';
import { transmitMessage } from '../steps/transmit-message';

/** Name of the loop that sends messages. */
export const SENDER_LOOP = 'message sender';
/**
 * Calls to the provider at the same time. A message is claimed only if the call starts at once,
 * because a claim that waited would exceed the time in which it may be sent.
 */
const MAX_CALLS = 40;

/** Pause when another process's claim had locked all that was due: a claim takes a few milliseconds. */
const LOCKED_PAUSE_MS = 20;

/** All but the loop that calls this. */
type CallContext = Omit<Context, 'sender'>;

/**
 * One round of the message sender: claims what is due and starts to send it, without waiting for
 * the provider.
 * @returns whether there may be more to send
 */
export async function sendDueMessages(context: CallContext): Promise<boolean> {
  const { smsBreaker, calls } = context;
  if (smsBreaker.isOpen) return false;
  if (calls.size >= MAX_CALLS) {
    await Promise.race(calls);
    return true;
  }
  // One message is enough to test whether the provider works again.
  const limit = smsBreaker.isClosed ? MAX_CALLS - calls.size : 1;
  const startedMs = context.monotonicMs();
  const { claimed, decided, more } = await claimMessages(context, limit);
  for (const message of claimed) start(context, message, startedMs);
  if (!smsBreaker.isClosed) await Promise.all(calls);
  if (more && !decided) await sleep(LOCKED_PAUSE_MS);
  return more;
}

/** Sends a claimed message. Errors are logged; its claim then expires, and it becomes unknown. */
function start(context: CallContext, message: ClaimedMessage, startedMs: number): void {
  const { log, calls } = context;
  const call: Promise<unknown> = guardRow(SENDER_LOOP, { log, messageId: message.id }, () =>
    transmitMessage(context, message, startedMs),
  )
    .catch((error: unknown) => {
      log.error({ err: error, messageId: message.id }, 'message outcome not stored');
    })
    .finally(() => calls.delete(call));
  calls.add(call);
}
