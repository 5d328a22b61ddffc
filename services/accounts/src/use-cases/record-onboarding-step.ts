import { createHash } from 'node:crypto';
import type { Transaction } from '@fiado/chassis/db/database';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import { insertRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import type { Sealer } from '@fiado/chassis/sealing';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import type {
  CornerStoreInformation,
  ImageStep,
  OnboardingStep,
} from '@fiado/contracts/onboarding';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { countImages, writeStep, type CountedImages } from '../db/onboarding.repository';
import { findVerification, lockVerification } from '../db/verifications.repository';
import { progressOf, statusAfter, type OnboardingProgress } from '../domain/onboarding';
import { PURPOSE } from '../domain/sealing-purposes';
import { cornerStoreEvents } from '../steps/announce-changes';
import { keepImage, type KeptImage } from '../steps/keep-image';

/** Images of one step that one wholesaler may send: enough attempts, and a limit on disk space. */
const MAX_IMAGES = 20;
const MEGABYTE = 1024 * 1024;
const TOO_MANY_IMAGES = 'The image limit of the wholesaler for 24 hours is reached';

/** The content of a step. */
export type StepContent =
  | { step: ImageStep; image: Buffer }
  | { step: 'CORNER_STORE_INFORMATION'; name: string; information: CornerStoreInformation }
  | { step: 'CORNER_STORE_NAME_UPDATE'; name: string }
  | { step: 'COMPLETED' };

export interface RecordOnboardingStep {
  by: Caller;
  userId: string;
  verificationId: string;
  content: StepContent;
  /** The link that it came by, for the audit log. */
  kycLinkId?: string;
}

export interface RecordedStep extends OnboardingProgress {
  step: OnboardingStep;
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
  if (!found.verificationKnown) throw new AppError('VERIFICATION_NOT_FOUND');
  const image = 'image' in content ? await keepNewImage(context, by, userId, content) : undefined;
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
    const answer = { step, ...progressOf(taken) };
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

/** What cannot be removed now the sweep removes later: the step is decided. */
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
  { step, image: bytes }: { step: ImageStep; image: Buffer },
): Promise<KeptImage | undefined> {
  const sha256 = createHash('sha256').update(bytes).digest();
  const counted = await countImages(context.db, userId, { step, sha256, wholesalerId: by.id });
  if (counted.known) return undefined;
  refuseTooMany(context, counted);
  return keepImage(context, { bytes, sha256, wholesalerId: by.id });
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
  await insertRow(tx, 'onboarding_documents', {
    ...image,
    step,
    cornerStoreId,
    verificationId,
    wholesalerId: by.id,
  });
  return true;
}

/** Parallel uploads may exceed a daily limit by the number of images that are being decoded. */
function refuseTooMany({ config }: Context, { sent, today, bytesToday }: CountedImages): void {
  if (sent >= MAX_IMAGES) throw new AppError('DOCUMENT_LIMIT_REACHED');
  const isFull =
    today >= config.IMAGES_PER_WHOLESALER_PER_DAY ||
    bytesToday >= config.IMAGE_MB_PER_WHOLESALER_PER_DAY * MEGABYTE;
  if (isFull) throw new AppError('TOO_MANY_ATTEMPTS', { message: TOO_MANY_IMAGES });
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
