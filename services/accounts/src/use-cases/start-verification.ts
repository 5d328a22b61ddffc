import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import type { Caller } from '@fiado/contracts/caller';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { jsonTextOf } from '@fiado/contracts/json-text';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { newId } from '@fiado/contracts/new-id';
import { codeOf, newCodeSaltFor } from '@fiado/chassis/verification/code';
import { CODE_LIFE_MS } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { lockUser } from '../db/corner-stores.repository';
import {
  beginVerification,
  countVerificationsOfDay,
  type UserDetails,
} from '../db/verifications.repository';
import { requireVerifiable } from '../domain/corner-store';
import { PURPOSE } from '../domain/sealing-purposes';
import { auditChangedNames } from '../steps/audit-changed-names';
import { requireUnknownNumberBudget } from '../steps/require-unknown-number-budget';

/**
 * Verifications of one user that one wholesaler may start in 24 hours: each sends up to five SMS,
 * and an owner who mistypes the phone needs two or three.
 */
const MAX_VERIFICATIONS_PER_DAY = 10;

export interface StartVerification {
  by: Caller;
  userId: string;
  firstName: string;
  lastNames: string;
  /** E.164; becomes the user's when its code is confirmed. */
  phone: string;
  latitude: string | undefined;
  longitude: string | undefined;
  contacts: object[] | undefined;
  metadata: object | undefined;
}

export interface StartedVerification {
  verificationId: string;
}

/**
 * Stores the data of a user and sends a code to its phone (createAccountVerification). A
 * verification that was pending ends.
 * @throws AppError USER_NOT_FOUND, USER_IS_VERIFIED, USER_IN_MANUAL_VALIDATION, TOO_MANY_ATTEMPTS
 */
export async function startVerification(
  context: Context,
  command: StartVerification,
  answerOf: StoreAnswer<StartedVerification>,
): Promise<StartedVerification> {
  const { sealer, config } = context;
  const { by, userId, phone } = command;
  const { id: wholesalerId } = by;
  const verificationId = newId();
  const codeSalt = newCodeSaltFor(config, phone);
  const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);

  return answerInTransaction(context, answerOf, async (tx) => {
    const user = await lockUser(tx, wholesalerId, userId);
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    requireVerifiable(user.status);
    if ((await countVerificationsOfDay(tx, wholesalerId, userId)) >= MAX_VERIFICATIONS_PER_DAY) {
      throw new AppError('TOO_MANY_ATTEMPTS', {
        message: 'Too many verifications of this user were started today',
      });
    }
    await requireUnknownNumberBudget(context, tx, { wholesalerId, phoneIndex });

    await auditChangedNames(context, tx, command);
    const expiresAt = await beginVerification(tx, sealedDetails(context, command), {
      id: verificationId,
      userId,
      wholesalerId,
      phone: sealer.seal(phone, PURPOSE.phone, verificationId),
      phoneIndex,
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
        verificationId,
        expiresAt,
      }),
    );
    return { verificationId };
  });
}

function sealedDetails({ sealer }: Context, command: StartVerification): UserDetails {
  const { userId, latitude, longitude, contacts, metadata } = command;
  return {
    firstName: sealer.seal(command.firstName, PURPOSE.firstName, userId),
    lastNames: sealer.seal(command.lastNames, PURPOSE.lastNames, userId),
    latitude: latitude === undefined ? null : sealer.seal(latitude, PURPOSE.latitude, userId),
    longitude: longitude === undefined ? null : sealer.seal(longitude, PURPOSE.longitude, userId),
    contacts:
      contacts === undefined
        ? null
        : sealer.seal(JSON.stringify(contacts), PURPOSE.contacts, userId),
    metadata: metadata === undefined ? null : jsonTextOf(metadata),
  };
}
