import { IsOptional } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { findLiveMessagesEndpoint, smsRows } from '@fiado/chassis/outbox/sms-rows';
import { codeOf, newCodeSaltFor } from '@fiado/chassis/verification/code';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { IsArrayOf, IsMetadata, IsNonEmptyText, IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { jsonTextOf } from '@fiado/contracts/json-text';
import { newId } from '@fiado/contracts/new-id';
import { CODE_LIFE_MS, limitOfADay } from '@fiado/contracts/verification-rules';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { requireVerifiable } from '../corner-stores/corner-store.rules';
import { PURPOSE } from '../db/purposes';
import { EXAMPLE_PHONE } from '../examples';
import { IsPhoneText, phoneOf } from '../request-fields';
import {
  ConsentBody,
  consentOf,
  type GivenConsent,
  IsConsent,
  recordConsent,
} from '../privacy/consents';
import { requireUnknownNumberBudget, type PhoneOwner } from './unknown-numbers';
import { lockUser } from './verifications.sql';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { UserRow } from '../corner-stores/user.entity';
import type { VerificationRow } from './verification.entity';

const MAX_TEXT = 200;

const MAX_CONTACTS = 100;

class ContactBody {
  @About('Full name', 'Luis Hernández')
  @IsText(MAX_TEXT)
  fullName: string;

  /** Stored as sent; nobody is called from here. */
  @IsText(MAX_TEXT)
  phoneNumber: string;
}

class StartVerificationBody {
  @IsNonEmptyText(MAX_TEXT)
  firstName: string;

  @IsNonEmptyText(MAX_TEXT)
  lastNames: string;

  @IsPhoneText()
  phoneNumber: string;

  @About('Degrees north, as text', '19.4326')
  @IsOptional()
  @IsText(MAX_TEXT)
  latitude?: string;

  @About('Degrees east, as text', '-99.1332')
  @IsOptional()
  @IsText(MAX_TEXT)
  longitude?: string;

  @About('People who know the user')
  @IsOptional()
  @IsArrayOf(() => ContactBody, { max: MAX_CONTACTS })
  contacts?: ContactBody[];

  @IsOptional()
  @IsMetadata()
  metadata?: object;

  @About('Consent of the person to the privacy notice, where you asked for it')
  @IsConsent()
  consent?: ConsentBody;
}

export const verificationAnswer = t.object('Verification', {
  verificationId: fields.verificationId,
});

export const startVerificationEndpoint = endpoint({
  id: 'createAccountVerification',
  as: 'accounts.createVerification',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'POST /v1/account/:userId/verification',
  scope: 'accounts:write',
  names: { userId: 'user' },
  summary: 'Create an account verification',
  description:
    'Stores the data of the user and sends a code to `phoneNumber`, which becomes the user’s ' +
    'when the code is confirmed. A pending verification of the user is cancelled. ' +
    '`TOO_MANY_ATTEMPTS` after ten verifications of one user in 24 hours, and when too many codes ' +
    'went to phone numbers that no customer has, or too few of those were confirmed. No code goes to the ' +
    'number of a person whose data are blocked; the answer does not show it.',
  body: StartVerificationBody,
  bodyExample: {
    firstName: 'Lucía',
    lastNames: 'Ortega Ruiz',
    phoneNumber: EXAMPLE_PHONE,
    latitude: '25.6866',
    longitude: '-100.3161',
    contacts: [{ fullName: 'Raúl Ortega', phoneNumber: '+525512340102' }],
    metadata: { seller: 'norte-3' },
    consent: { noticeVersion: '1', acceptedAt: '2026-09-21T16:04:05Z' },
  },
  errors: ['USER_NOT_FOUND', 'USER_IS_VERIFIED', 'USER_IN_MANUAL_VALIDATION', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  status: 201,
  answer: verificationAnswer,
  input: ({ body: { phoneNumber, consent, ...details }, id, caller: by }, context: Context) => ({
    by,
    phone: phoneOf(context, phoneNumber),
    userId: id('userId', 'USER_NOT_FOUND'),
    ...details,
    consent: consent && consentOf(consent, context.clock.now()),
  }),
  handle: startVerification,
  present: ({ verificationId }) => ({ verificationId }),
});

interface StartVerification extends Omit<StartVerificationBody, 'phoneNumber' | 'consent'> {
  by: Caller;
  userId: string;
  /** E.164; becomes the user's when its code is confirmed. */
  phone: string;
  consent?: GivenConsent | undefined;
}

interface StartedVerification {
  verificationId: string;
}

/**
 * Verifications of one user that one wholesaler may start in 24 hours: each sends up to five SMS,
 * and an owner who mistypes the phone needs two or three.
 */
const MAX_VERIFICATIONS_PER_DAY = 10;

/**
 * Stores the data of a user and sends a code to its phone (createAccountVerification), unless it is the
 * phone of a blocked person. A verification that was pending ends.
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
      throw limitOfADay('Too many verifications of this user were started today');
    }
    const phoneOwner = await requireUnknownNumberBudget(context, tx, { wholesalerId, phoneIndex });

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
    if (command.consent !== undefined) {
      const given = { userId, verificationId, noticeUrl: null, channel: 'api' } as const;
      await recordConsent(context, tx, { ...command.consent, ...given });
    }
    await sendCode(context, tx, {
      phone,
      phoneOwner,
      code: codeOf(config.CODE_PEPPER, verificationId, codeSalt),
      wholesalerId,
      userId,
      verificationId,
      expiresAt,
    });
    return { verificationId };
  });
}

/** Verifications of a user that one wholesaler began in the last 24 hours. */
async function countVerificationsOfDay(
  tx: Db,
  wholesalerId: string,
  userId: string,
): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    tx,
    `SELECT count(*) FROM verifications
      WHERE user_id = $1 AND wholesaler_id = $2 AND created_at > now() - interval '24 hours'`,
    [userId, wholesalerId],
  );
  return count;
}

/** The data of a user, sealed; null leaves a field unchanged. The metadata is JSON text, kept as it was sent. */
function sealedDetails({ sealer }: Context, command: StartVerification) {
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

interface NewNames {
  by: Caller;
  userId: string;
  firstName: string;
  lastNames: string;
}

/** Audits which names of a locked user are about to change; never the names themselves. */
async function auditChangedNames(
  { sealer }: Context,
  tx: Transaction,
  { by, userId, firstName, lastNames }: NewNames,
): Promise<void> {
  const before = await tx.manager.findOneByOrFail(UserRow, { id: userId });
  const names = { firstName, lastNames };
  const changed = (['firstName', 'lastNames'] as const).filter(
    (field) =>
      before[field] === null || sealer.open(before[field], PURPOSE[field], userId) !== names[field],
  );
  if (changed.length === 0) return;
  await recordAudit(tx, {
    by,
    action: 'user.names-changed',
    objectId: userId,
    details: { changed },
  });
}

interface NewVerification {
  id: string;
  userId: string;
  wholesalerId: string;
  phone: Buffer;
  phoneIndex: Buffer;
  codeSalt: Buffer;
  /** Life of its code, in milliseconds. */
  lifeMs: number;
}

/**
 * Writes a user's details, cancels what was pending and begins a verification: one round trip.
 * @returns when its code ends, by the database's clock
 */
async function beginVerification(
  tx: Db,
  details: ReturnType<typeof sealedDetails>,
  verification: NewVerification,
): Promise<Date> {
  const { expiresAt } = await queryOne<Pick<VerificationRow, 'expiresAt'>>(
    tx,
    `WITH updated AS (
       UPDATE users
          SET first_name = $8, last_names = $9, updated_at = now(),
              latitude = coalesce($10, latitude), longitude = coalesce($11, longitude),
              contacts = coalesce($12, contacts), metadata = coalesce($13::json, metadata)
        WHERE id = $2
     ), cancelled AS (
       -- Another wholesaler's stays: it is not this caller's to end.
       UPDATE verifications SET status = 'cancelled'
        WHERE user_id = $2 AND wholesaler_id = $3 AND status = 'pending'
     )
     INSERT INTO verifications (id, user_id, wholesaler_id, phone, phone_index, code_salt, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::float / 1000))
     RETURNING expires_at`,
    [
      verification.id,
      verification.userId,
      verification.wholesalerId,
      verification.phone,
      verification.phoneIndex,
      verification.codeSalt,
      verification.lifeMs,
      details.firstName,
      details.lastNames,
      details.latitude,
      details.longitude,
      details.contacts,
      details.metadata,
    ],
  );
  return expiresAt;
}

/** A code, while its verification is pending. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `EXISTS (SELECT FROM verifications
            WHERE id = "verificationId" AND status = 'pending')`,
);

interface SentCode {
  /** E.164. */
  phone: string;
  phoneOwner: PhoneOwner;
  code: string;
  wholesalerId: string;
  userId: string;
  verificationId: string;
  expiresAt: Date;
}

/** Sends the code of a verification to its phone, unless that is the phone of a blocked person. */
export async function sendCode(
  { sealer }: Pick<Context, 'sealer'>,
  tx: Transaction,
  { phone, phoneOwner, code, userId, ...sms }: SentCode,
): Promise<void> {
  if (phoneOwner === 'blocked') return;
  const values = { code };
  await appendToOutbox(
    tx,
    smsRows(sealer, {
      ...sms,
      template: 'verification-code',
      phone,
      // It was counted when it was requested.
      unprovenBy: null,
      values,
      subjectId: userId,
    }),
  );
}
