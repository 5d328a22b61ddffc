import { ValidationError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import type { OnboardingDocument } from '../db/onboarding.repository';
import { PURPOSE } from '../domain/sealing-purposes';

/** The part of a document that its image alone decides. */
export type KeptImage = Pick<
  OnboardingDocument,
  'id' | 'sha256' | 'sizeBytes' | 'width' | 'height' | 'storageKey'
>;

/**
 * Cleans, seals and stores an image before the database transaction that inserts its row: a file
 * without a row is only waste, but a row without its file would be a lost document.
 * @throws ValidationError when it does not decode, AppError RATE_LIMIT_EXCEEDED or
 * SERVICE_UNAVAILABLE when too many wait
 */
export async function keepImage(
  { cleanImage, documents, sealer }: Context,
  { bytes, sha256, wholesalerId }: { bytes: Buffer; sha256: Buffer; wholesalerId: string },
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
    storageKey: await documents.put(sealer.sealBytes(image.bytes, PURPOSE.document, id)),
  };
}
