import { createHash } from 'node:crypto';
import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import type { Caller } from '@fiado/shared/chassis/internal-token';
import type { Sealer } from '@fiado/shared/chassis/sealing';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import type { OnboardingStep } from '@fiado/shared/contracts/onboarding';
import type { EntityManager } from 'typeorm';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { raiseVersion } from '../db/corner-stores.repository';
import { OnboardingDocument } from '../db/onboarding-document.entity';
import { countImages, writeStep } from '../db/onboarding.repository';
import { findVerification, lockVerification } from '../db/verifications.repository';
import {
  progressOf,
  statusAfter,
  type CornerStoreInformation,
  type ImageStep,
  type OnboardingProgress,
} from '../domain/onboarding';
import { PURPOSE } from '../domain/sealing-purposes';
import { cornerStoreEvents } from './announce-changes';
import { keepImage, type KeptImage } from './keep-image';

/** Images of one step that are taken from one wholesaler: tries enough, and an end to the disk. */
const MAX_IMAGES = 20;

/** What a step carries. */
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
  keep: Keep<RecordedStep>;
}

export interface RecordedStep extends OnboardingProgress {
  step: OnboardingStep;
}

/**
 * Takes one step of a corner store's onboarding (spec e4), in any order and again; COMPLETED hands
 * the store over to ops.
 * @throws AppError USER_NOT_FOUND, VERIFICATION_NOT_FOUND, DOCUMENT_LIMIT_REACHED, or
 *   RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE when too many images wait; ValidationError
 *   for an image that cannot be read
 */
export async function recordOnboardingStep(
  context: Context,
  { by, userId, verificationId, content, keep }: RecordOnboardingStep,
): Promise<RecordedStep> {
  const { db, sealer } = context;
  const found = await findVerification(db, by.id, { userId, verificationId });
  if (!found.userKnown) throw new AppError('USER_NOT_FOUND');
  if (!found.verificationKnown) throw new AppError('VERIFICATION_NOT_FOUND');
  const image = 'image' in content ? await keepNewImage(context, by, userId, content) : undefined;
  const { step } = content;

  const recording = db.transaction(async (tx) => {
    const store = await lockVerification(tx, by.id, { userId, verificationId });
    if (store === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
    const { cornerStoreId } = store;

    const isNew =
      image !== undefined && (await insertDocument(tx, by, { ...store, userId, step, image }));
    const status = statusAfter(step, store.cornerStoreStatus);
    const taken = await writeStep(tx, cornerStoreId, {
      step,
      status,
      ...sealedTexts(sealer, content),
    });
    if (status !== store.cornerStoreStatus) {
      await raiseVersion(tx, cornerStoreId);
      await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
    }
    await recordAudit(tx, {
      by,
      action: 'onboarding.step-taken',
      objectId: cornerStoreId,
      details: { step, ...(isNew ? { documentId: image.id } : {}) },
    });
    const answer = { step, ...progressOf(taken) };
    await storeAnswer(tx, keep(answer));
    return { recorded: answer, wasted: isNew ? undefined : image };
  });
  const { recorded, wasted } = await recording.catch(async (error: unknown) => {
    // Only a refusal is certain to have no row. After a lost connection the row may be committed.
    if (image !== undefined && error instanceof AppError) {
      await context.documents.remove(image.storageKey);
    }
    throw error;
  });
  context.relay.wake();
  if (wasted !== undefined) await context.documents.remove(wasted.storageKey);
  return recorded;
}

/**
 * Keeps an image unless it is there already or is one too many, so that a refused or repeated one is
 * neither decoded nor written. The same is checked again in the transaction that inserts its row.
 * @throws AppError DOCUMENT_LIMIT_REACHED, RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE
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
  if (counted.sent >= MAX_IMAGES) throw new AppError('DOCUMENT_LIMIT_REACHED');
  return keepImage(context, { bytes, sha256, wholesalerId: by.id });
}

/** @returns false when the very same image is there already: nothing is kept twice */
async function insertDocument(
  tx: EntityManager,
  by: Caller,
  document: {
    userId: string;
    cornerStoreId: string;
    verificationId: string;
    step: OnboardingStep;
    image: KeptImage;
  },
): Promise<boolean> {
  const { userId, cornerStoreId, verificationId, step, image } = document;
  const { sent, known } = await countImages(tx, userId, {
    step,
    sha256: image.sha256,
    wholesalerId: by.id,
  });
  if (known) return false;
  if (sent >= MAX_IMAGES) throw new AppError('DOCUMENT_LIMIT_REACHED');
  await tx.insert(OnboardingDocument, {
    ...image,
    step: step as ImageStep,
    cornerStoreId,
    verificationId,
    wholesalerId: by.id,
  });
  return true;
}

function sealedTexts(
  sealer: Sealer,
  content: StepContent,
): { name: Buffer | null; information: Buffer | null } {
  return {
    name: 'name' in content ? sealer.seal(content.name, PURPOSE.cornerStoreName) : null,
    information:
      'information' in content
        ? sealer.seal(JSON.stringify(content.information), PURPOSE.information)
        : null,
  };
}
