import { guardRow } from '@fiado/chassis/guard-row';
import type { Context } from '../context';
import { claimDeliveries, type ClaimedDelivery } from '../db/claim-deliveries';
import { markSlow } from '../db/record-attempt';
import { findSecrets, type SealedSecret } from '../db/webhook-secrets.repository';
import { LANE_LIMITS, LANES, LEAVE_LANE_MS, type Lane } from '../domain/lane';
import { sendWebhook } from '../steps/send-webhook';

/** Name of the loop that sends webhooks. */
export const WEBHOOK_LOOP = 'webhook sender';

/** The context, once its sender is made. */
type SendingContext = Omit<Context, 'sender'>;

/**
 * One round of the webhook sender: claims what is due, as far as the lanes have places, and starts
 * to send it without waiting for any endpoint. It is woken when a place is free again.
 * @returns whether there may be more to claim now
 */
export async function sendDueWebhooks(context: SendingContext): Promise<boolean> {
  const free = Object.fromEntries(
    LANES.map((lane) => [lane, LANE_LIMITS[lane].places - context.placesTaken[lane]]),
  ) as Record<Lane, number>;
  const claimed = await claimDeliveries(context.db, free);
  if (claimed.length === 0) return false;

  const secrets = await findSecrets(context.db, [
    ...new Set(claimed.map(({ endpointId }) => endpointId)),
  ]);
  for (const delivery of claimed) {
    const own = secrets.filter(({ endpointId }) => endpointId === delivery.endpointId);
    start(context, delivery, own);
  }
  return true;
}

/** Starts one attempt. What goes wrong is logged: its claim lapses, and it is made again. */
function start(context: SendingContext, delivery: ClaimedDelivery, secrets: SealedSecret[]): void {
  const { log, attempts } = context;
  const { id: deliveryId, lane } = delivery;
  const leaveLane = takePlace(context, lane);
  const tooSlow = setTimeout(() => {
    leaveLane();
    markSlow(context.db, delivery.endpointId).catch((error: unknown) => {
      log.warn({ err: error, deliveryId }, 'endpoint could not be marked as slow');
    });
  }, LEAVE_LANE_MS);

  const attempt: Promise<unknown> = guardRow(WEBHOOK_LOOP, { log, deliveryId }, () =>
    sendWebhook(context, delivery, secrets),
  )
    .catch((error: unknown) => log.error({ err: error, deliveryId }, 'webhook outcome not stored'))
    .finally(() => {
      clearTimeout(tooSlow);
      leaveLane();
      attempts.delete(attempt);
    });
  attempts.add(attempt);
}

/** @returns gives the place back, once */
function takePlace({ placesTaken, webhookSender }: SendingContext, lane: Lane): () => void {
  placesTaken[lane] += 1;
  let holds = true;
  return () => {
    if (!holds) return;
    holds = false;
    placesTaken[lane] -= 1;
    webhookSender.wake();
  };
}
