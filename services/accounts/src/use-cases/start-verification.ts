import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import { jsonTextOf } from '@fiado/shared/json-text';
import { smsRows } from '@fiado/shared/contracts/jobs/send-message';
import { newId } from '@fiado/shared/new-id';
import { codeOf, newCodeSalt } from '@fiado/shared/verification/code';
import { CODE_LIFE_MS } from '@fiado/shared/verification/rules';
import type { Context } from '../context';
import { lockUser } from '../db/corner-stores.repository';
import { beginVerification, type UserDetails } from '../db/verifications.repository';
import { requireVerifiable } from '../domain/corner-store';
import { PURPOSE } from '../domain/sealing-purposes';

export interface StartVerification {
  wholesalerId: string;
  userId: string;
  firstName: string;
  lastNames: string;
  /** E.164; becomes the user's when its code is confirmed. */
  phone: string;
  latitude: string | undefined;
  longitude: string | undefined;
  contacts: object[] | undefined;
  metadata: object | undefined;
  keep: Keep<StartedVerification>;
}

export interface StartedVerification {
  verificationId: string;
}

/**
 * Writes what a user told of itself and sends a code to its phone (spec e1). A verification that
 * was pending ends.
 * @throws AppError USER_NOT_FOUND, USER_IS_VERIFIED, USER_IN_MANUAL_VALIDATION
 */
export async function startVerification(
  context: Context,
  command: StartVerification,
): Promise<StartedVerification> {
  const { sealer, config } = context;
  const { wholesalerId, userId, phone, keep } = command;
  const verificationId = newId();
  const codeSalt = newCodeSalt();

  await context.db.transaction(async (tx) => {
    const user = await lockUser(tx, wholesalerId, userId);
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    requireVerifiable(user.status);

    const expiresAt = await beginVerification(tx, sealedDetails(context, command), {
      id: verificationId,
      userId,
      wholesalerId,
      phone: sealer.seal(phone, PURPOSE.phone),
      phoneIndex: sealer.blindIndex(phone, PURPOSE.phone),
      codeSalt,
      lifeMs: CODE_LIFE_MS,
    });
    await appendToOutbox(
      tx,
      smsRows(sealer, {
        template: 'verification-code',
        phone,
        values: { code: codeOf(config.CODE_PEPPER, verificationId, codeSalt) },
        wholesalerId,
        subjectId: userId,
        expiresAt,
      }),
    );
    await storeAnswer(tx, keep({ verificationId }));
  });
  context.relay.wake();
  return { verificationId };
}

function sealedDetails({ sealer }: Context, command: StartVerification): UserDetails {
  const { latitude, longitude, contacts, metadata } = command;
  return {
    firstName: sealer.seal(command.firstName, PURPOSE.firstName),
    lastNames: sealer.seal(command.lastNames, PURPOSE.lastNames),
    latitude: latitude === undefined ? null : sealer.seal(latitude, PURPOSE.latitude),
    longitude: longitude === undefined ? null : sealer.seal(longitude, PURPOSE.longitude),
    contacts:
      contacts === undefined ? null : sealer.seal(JSON.stringify(contacts), PURPOSE.contacts),
    metadata: metadata === undefined ? null : jsonTextOf(metadata),
  };
}
