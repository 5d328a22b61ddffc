import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { insertReplay, isReplaying, type ReplayChoice } from '../db/send-again';
import { typesNamedBy } from '../domain/event-pattern';
import { lockEnabledEndpoint } from '../steps/own-endpoint';

export interface ReplayEvents {
  ownerId: string;
  endpointId: string;
  from: Date;
  to: Date;
  /** Patterns; all that the endpoint wants without it. */
  types: string[] | undefined;
  only: ReplayChoice;
}

export interface StartedReplay {
  replayId: string;
  count: number;
}

/**
 * Sends the events of a time range to an endpoint once more, oldest first, at a pace that leaves
 * room for new ones. Their ids are the same.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_IS_NOT_ENABLED,
 *   WEBHOOK_REPLAY_RUNNING
 */
export async function replayEvents(
  context: Context,
  { ownerId, endpointId, types, ...range }: ReplayEvents,
  answerOf: StoreAnswer<StartedReplay>,
): Promise<StartedReplay> {
  const started = await answerInTransaction(context, answerOf, async (tx) => {
    const endpoint = await lockEnabledEndpoint(tx, ownerId, endpointId);
    if (await isReplaying(tx, endpointId)) throw new AppError('WEBHOOK_REPLAY_RUNNING');
    const named = new Set(types?.flatMap(typesNamedBy));
    const wanted = [...new Set(endpoint.events.flatMap(typesNamedBy))];
    const replayId = newId();
    const count = await insertReplay(tx, {
      id: replayId,
      endpointId,
      ownerId,
      types: types === undefined ? wanted : wanted.filter((type) => named.has(type)),
      ...range,
    });
    return { replayId, count };
  });
  context.webhookSender.wake();
  return started;
}
