import { createHash } from 'node:crypto';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { STEP_BODY_LIMIT } from '@fiado/contracts/body-limits';
import type { Caller } from '@fiado/contracts/caller';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import {
  type ImageWarning,
  ONBOARDING_STEPS,
  type OnboardingStep,
} from '@fiado/contracts/onboarding';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { MIN_SHARPNESS, WARNING_TEXTS } from '../documents/image.rules';
import { cornerStoreEvents } from '../snapshots/snapshots.sql';
import { findVerification, lockVerification } from '../verification/verifications.sql';
import { type OnboardingProgress, progressOf, statusAfter } from './onboarding.rules';
import {
  ImageStepBody,
  InformationStepBody,
  NameStepBody,
  StepBody,
  contentOf,
  type StepContent,
} from './step-content';
import { OnboardingDocumentRow } from './onboarding-document.entity';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';

/** Values in a step's body: an image is one text, and no step has more than a dozen fields. */
const MAX_VALUES = 1_000;

/** Limits of a body that holds an image. */
export const STEP_BODY_LIMITS = { bodyLimit: STEP_BODY_LIMIT, maxValues: MAX_VALUES };

const stepName = t.oneOf(ONBOARDING_STEPS);

/** Named among the missing steps; no step that is recorded. */
const PHONE_VERIFICATION = 'PHONE_VERIFICATION';

export const recordOnboardingStepEndpoint = endpoint({
  id: 'recordOnboardingStep',
  as: 'accounts.recordOnboardingStep',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'PUT /v1/account/:userId/verification/:verificationId/onboarding',
  scope: 'accounts:write',
  names: { userId: 'user', verificationId: 'account-code' },
  ...STEP_BODY_LIMITS,
  summary: 'Record an onboarding step',
  description:
    'The image steps carry `document`, `CORNER_STORE_INFORMATION` and `CORNER_STORE_NAME_UPDATE` ' +
    'carry `information`, `COMPLETED` carries no other field. Steps may ' +
    'be repeated and sent in any order. `warnings` lists recommendations that the image does not follow.',
  body: [StepBody, ImageStepBody, InformationStepBody, NameStepBody],
  bodyExample: {
    step: 'CORNER_STORE_INFORMATION',
    information: {
      cornerStoreType: 'ABARROTES',
      businessLifetime: 'TWO-TO-THREE_YEARS',
      ownershipStatus: 'DUEÑO',
      cornerStoreName: 'Abarrotes Lucía',
      cornerStoreAddress: 'Calle Hidalgo 12, Monterrey',
      localeOwner: 'PROPIO',
    },
  },
  errors: [
    'USER_NOT_FOUND',
    'VERIFICATION_NOT_FOUND',
    'DOCUMENT_LIMIT_REACHED',
    'TOO_MANY_ATTEMPTS',
  ],
  idempotent: true,
  answer: t.object('OnboardingProgress', {
    success: t.field(t.constant(true), 'Always true'),
    step: t.field(stepName, 'Step of the onboarding'),
    completedSteps: t.list(stepName, 'Steps that were recorded'),
    missingSteps: t.list(
      t.oneOf([...ONBOARDING_STEPS, PHONE_VERIFICATION]),
      'Steps that were not recorded yet; `PHONE_VERIFICATION` after `COMPLETED` while no code has come back: ' +
        '`resendAccountCode` sends one until ops has decided',
    ),
    warnings: t.list(
      t.text,
      'Remarks on the image, such as a low resolution; the step is recorded',
    ),
  }),
  example: {
    step: 'CORNER_STORE_INFORMATION',
    completedSteps: ['DOCUMENT_IMAGE_FRONTAL', 'CORNER_STORE_INFORMATION'],
    missingSteps: ['DOCUMENT_IMAGE_BACK', 'SELFIE_IMAGE', 'STORE_IMAGE', 'COMPLETED'],
  },
  input: ({ json, noteIgnored, id, caller: by }) => ({
    content: contentOf(json, noteIgnored),
    by,
    userId: id('userId', 'USER_NOT_FOUND'),
    verificationId: id('verificationId', 'VERIFICATION_NOT_FOUND'),
  }),
  handle: recordOnboardingStep,
  present: (recorded) => ({
    success: true,
    step: recorded.step,
    completedSteps: recorded.completedSteps,
    missingSteps: recorded.missingSteps,
    warnings: recorded.warnings.map((warning) => WARNING_TEXTS[warning]),
  }),
});

interface RecordOnboardingStep {
  by: Caller;
  userId: string;
  verificationId: string;
  content: StepContent;
  /** The link that it came by, for the audit log. */
  kycLinkId?: string;
}

interface RecordedStep extends Pick<OnboardingProgress, 'completedSteps'> {
  step: OnboardingStep;
  missingSteps: Array<OnboardingStep | typeof PHONE_VERIFICATION>;
  /** Warnings about the image, also if it was sent before. */
  warnings: ImageWarning[];
}

/**
 * Records one onboarding step of a corner store, in any order and repeatedly. COMPLETED submits the
 * store to ops for approval.
 * @throws AppError USER_NOT_FOUND, VERIFICATION_NOT_FOUND, DOCUMENT_LIMIT_REACHED,
 *   TOO_MANY_ATTEMPTS when the wholesaler has uploaded too much in a day, RATE_LIMIT_EXCEEDED or
 *   SERVICE_UNAVAILABLE when too many images wait, SERVICE_UNAVAILABLE when their store is unavailable;
 *   ValidationError for an unreadable image
 */
export async function recordOnboardingStep(
  context: Context,
  { by, userId, verificationId, content, kycLinkId }: RecordOnboardingStep,
  answerOf: StoreAnswer<RecordedStep>,
): Promise<RecordedStep> {
  const { db, sealer } = context;
  const found = await findVerification(db, by.id, { userId, verificationId });
  if (found === undefined) throw new AppError('USER_NOT_FOUND');
  if (found.codeSalt === null) throw new AppError('VERIFICATION_NOT_FOUND');
  const { image, warnings } =
    'image' in content
      ? await keepNewImage(context, by, userId, content)
      : { image: undefined, warnings: [] };
  const { step } = content;

  const recording = db.transaction(async (tx) => {
    const store = await lockVerification(tx, by.id, { userId, verificationId });
    if (store === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
    const { cornerStoreId } = store;

    const isNew =
      image !== undefined &&
      (await insertDocument(context, tx, { ...store, by, userId, step, image }));
    const status = statusAfter(step, store.cornerStoreStatus);
    const taken = await writeStep(tx, cornerStoreId, {
      step,
      status,
      ...sealedTexts(sealer, cornerStoreId, content),
    });
    if (status !== store.cornerStoreStatus) {
      await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
    }
    await recordAudit(tx, {
      by,
      action: 'onboarding.step-taken',
      objectId: cornerStoreId,
      details: { step, kycLinkId, ...(isNew ? { documentId: image.id } : {}) },
    });
    const { completedSteps, missingSteps } = progressOf(taken);
    const isUndecided = status === 'in-manual-validation';
    const lacksPhone = taken.includes('COMPLETED') && isUndecided && !store.isApproved;
    const answer = {
      step,
      completedSteps,
      missingSteps: lacksPhone ? [...missingSteps, PHONE_VERIFICATION] : missingSteps,
      warnings,
    } satisfies RecordedStep;
    await storeAnswer(tx, answerOf(answer));
    return { recorded: answer, wasted: isNew ? undefined : image };
  });
  const { recorded, wasted } = await recording.catch(async (error: unknown) => {
    // Only a refusal is certain to have no row. After a lost connection the row may be committed.
    if (image !== undefined && error instanceof AppError) await removeWaste(context, image);
    throw error;
  });
  context.relay.wake();
  if (wasted !== undefined) await removeWaste(context, wasted);
  return recorded;
}

/** A file that cannot be removed now is removed by the sweep later: the step is decided. */
async function removeWaste({ documents, log }: Context, { storageKey }: KeptImage): Promise<void> {
  await documents
    .remove(storageKey)
    .catch((error: unknown) =>
      log.warn({ err: error }, 'an image without a row stays until the sweep'),
    );
}

/**
 * Stores an image unless it exists or exceeds a limit, so that a refused or repeated one is neither
 * decoded nor written. The transaction that inserts its row checks both again.
 * @throws AppError DOCUMENT_LIMIT_REACHED, TOO_MANY_ATTEMPTS, RATE_LIMIT_EXCEEDED or
 *   SERVICE_UNAVAILABLE
 */
async function keepNewImage(
  context: Context,
  by: Caller,
  userId: string,
  { step, image: bytes, warnings }: Extract<StepContent, { image: Buffer }>,
): Promise<{ image: KeptImage | undefined; warnings: ImageWarning[] }> {
  const sha256 = createHash('sha256').update(bytes).digest();
  const counted = await countImages(context.db, userId, { step, sha256, wholesalerId: by.id });
  if (counted.known) return { image: undefined, warnings: withBlur(warnings, counted.blurred) };
  refuseTooMany(context, counted);
  const image = await keepImage(context, { bytes, sha256, warnings, wholesalerId: by.id });
  return { image, warnings: image.warnings };
}

/** The part of a document that its image alone decides. */
type KeptImage = Pick<
  OnboardingDocumentRow,
  'id' | 'sha256' | 'sizeBytes' | 'width' | 'height' | 'storageKey'
> & { warnings: ImageWarning[] };

/**
 * Cleans, seals and stores an image before the database transaction that inserts its row: a file
 * without a row is only waste, but a row without its file would be a lost document.
 * @throws ValidationError when it does not decode, AppError RATE_LIMIT_EXCEEDED or
 * SERVICE_UNAVAILABLE when too many wait
 */
async function keepImage(
  { cleanImage, documents, sealer }: Context,
  {
    bytes,
    sha256,
    warnings,
    wholesalerId,
  }: { bytes: Buffer; sha256: Buffer; warnings: ImageWarning[]; wholesalerId: string },
): Promise<KeptImage> {
  const image = await cleanImage(bytes, wholesalerId);
  if (image === undefined) {
    throw new ValidationError(['document.base64Content must hold an image that can be read']);
  }
  const id = newId();
  return {
    id,
    sha256,
    sizeBytes: image.bytes.length,
    width: image.width,
    height: image.height,
    warnings: withBlur(warnings, image.sharpness < MIN_SHARPNESS),
    storageKey: await documents.put(sealer.sealBytes(image.bytes, PURPOSE.document, id)),
  };
}

/** The warnings of the header, and the one of the decoded image. */
function withBlur(warnings: ImageWarning[], isBlurred: boolean): ImageWarning[] {
  return isBlurred ? [...warnings, 'blurred'] : warnings;
}

/** @returns false if the same image exists already */
async function insertDocument(
  context: Context,
  tx: Transaction,
  document: {
    by: Caller;
    userId: string;
    cornerStoreId: string;
    verificationId: string;
    step: OnboardingStep;
    image: KeptImage;
  },
): Promise<boolean> {
  const { by, userId, cornerStoreId, verificationId, step, image } = document;
  const counted = await countImages(tx, userId, {
    step,
    sha256: image.sha256,
    wholesalerId: by.id,
  });
  if (counted.known) return false;
  refuseTooMany(context, counted);
  await tx.manager.insert(OnboardingDocumentRow, {
    ...image,
    step,
    cornerStoreId,
    verificationId,
    wholesalerId: by.id,
  });
  return true;
}

/** Images of one step that one wholesaler may send: enough attempts, and a limit on disk space. */
const MAX_IMAGES = 20;

const MEGABYTE = 1024 * 1024;

/** Parallel uploads may exceed a daily limit by the number of images that are being decoded. */
function refuseTooMany({ config }: Context, { sent, today, bytesToday }: CountedImages): void {
  if (sent >= MAX_IMAGES) throw new AppError('DOCUMENT_LIMIT_REACHED');
  const isFull =
    today >= config.IMAGES_PER_WHOLESALER_PER_DAY ||
    bytesToday >= config.IMAGE_MB_PER_WHOLESALER_PER_DAY * MEGABYTE;
  if (isFull) throw limitOfADay('The image limit of a day is reached');
}

/** The images that were uploaded before this one. */
interface CountedImages {
  /** Images of this store and step that the wholesaler has sent. */
  sent: number;
  /** Whether the very same image is among all of this store and step. */
  known: boolean;
  /** Whether that one was found blurred. */
  blurred: boolean;
  /** Images of the wholesaler that were kept in the last 24 hours, and their bytes. */
  today: number;
  bytesToday: number;
}

function countImages(
  db: Db,
  userId: string,
  { step, sha256, wholesalerId }: { step: OnboardingStep; sha256: Buffer; wholesalerId: string },
): Promise<CountedImages> {
  return queryOne<CountedImages>(
    db,
    `SELECT of_step.sent, of_step.known, of_step.blurred, of_day.today, of_day."bytesToday"
       FROM (SELECT count(*) FILTER (WHERE wholesaler_id = $4) AS sent,
                    coalesce(bool_or(sha256 = $3), false) AS known,
                    coalesce(bool_or(sha256 = $3 AND 'blurred' = ANY (warnings)), false) AS blurred
               FROM onboarding_documents
              WHERE corner_store_id = (SELECT id FROM corner_stores WHERE user_id = $1)
                AND step = $2) AS of_step,
            (SELECT count(*) AS today, coalesce(sum(size_bytes), 0)::bigint AS "bytesToday"
               FROM onboarding_documents
              WHERE wholesaler_id = $4 AND created_at > now() - interval '24 hours') AS of_day`,
    [userId, step, sha256, wholesalerId],
  );
}

function sealedTexts(
  sealer: Sealer,
  cornerStoreId: string,
  content: StepContent,
): { name: Buffer | null; information: Buffer | null } {
  return {
    name:
      'name' in content ? sealer.seal(content.name, PURPOSE.cornerStoreName, cornerStoreId) : null,
    information:
      'information' in content
        ? sealer.seal(JSON.stringify(content.information), PURPOSE.information, cornerStoreId)
        : null,
  };
}

/** The data of an onboarding step; null leaves a field unchanged. */
interface StepChanges {
  step: OnboardingStep;
  status: CornerStoreStatus;
  /** Sealed. */
  name: Buffer | null;
  /** Sealed JSON. */
  information: Buffer | null;
}

/**
 * Writes a step into its store, which is locked. A new status raises the version of the snapshot.
 * @returns all the steps that are taken now
 */
async function writeStep(
  tx: Db,
  cornerStoreId: string,
  { step, status, name, information }: StepChanges,
): Promise<OnboardingStep[]> {
  const { steps } = await queryOne<{ steps: CornerStoreRow['onboardingSteps'] }>(
    tx,
    `UPDATE corner_stores
        SET onboarding_steps = array_append(array_remove(onboarding_steps, $2), $2), status = $3,
            version = CASE WHEN status = $3 THEN version ELSE version + 1 END,
            name = coalesce($4, name), information = coalesce($5, information), updated_at = now()
      WHERE id = $1 RETURNING onboarding_steps AS steps`,
    [cornerStoreId, step, status, name, information],
  );
  return steps;
}
