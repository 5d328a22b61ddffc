import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import type { Context } from '../context';
import { expireSecrets } from '../db/webhook-secrets.repository';
import { lockOwnEndpoint } from '../steps/own-endpoint';
import { addSecret } from '../steps/webhook-secrets';

export interface RotateWebhookSecret {
  ownerId: string;
  id: string;
  /** How long the old secret signs beside the new one; 0 ends it at once. */
  keepOldForHours: number;
}

export interface RotatedSecret {
  secret: string;
  publicKey: string | null;
}

/**
 * Gives a webhook endpoint a new secret, and a new key where it has asymmetric signatures.
 * @throws AppError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function rotateWebhookSecret(
  context: Context,
  { ownerId, id, keepOldForHours }: RotateWebhookSecret,
  answerOf: StoreAnswer<RotatedSecret>,
): Promise<RotatedSecret> {
  return answerInTransaction(context, answerOf, async (tx) => {
    const { signatures } = await lockOwnEndpoint(tx, ownerId, id);
    await expireSecrets(tx, id, keepOldForHours);
    const { secret } = await addSecret(tx, context, id, 'v1');
    const publicKey = signatures.includes('v1a')
      ? (await addSecret(tx, context, id, 'v1a')).publicKey
      : null;
    return { secret, publicKey };
  });
}
