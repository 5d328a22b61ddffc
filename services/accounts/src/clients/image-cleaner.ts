import type { Logger } from '@fiado/shared/chassis/logger';
import { AppError } from '@fiado/shared/contracts/errors';
import sharp from 'sharp';
import { MAX_IMAGE_PIXELS } from '../domain/image';
import { FairTurns, type Refusal } from './fair-turns';

/**
 * Images of one wholesaler that wait for their turn. Images are decoded one at a time, because the
 * largest take 230 MB and a core for three seconds.
 */
const MAX_WAITING_OF_WHOLESALER = 4;
/** Images that wait in all: each holds its 5 MB and the body that it came in. */
const MAX_WAITING = 10;
/** What a refused wholesaler is asked to wait: time for the largest image. */
const RETRY_AFTER_SECONDS = 5;
/** Reads well at a quarter of the size of the best. */
const JPEG_QUALITY = 85;
/** Longest work on one image; sharp takes whole seconds. */
const TIMEOUT_SECONDS = 10;

/** An image that is only a picture: a JPEG without metadata, turned the right way up. */
export interface CleanImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/**
 * Makes images of unknown origin fit to keep: decoded and encoded again, so that no metadata (where
 * it was taken, with which phone) and nothing that hides behind the picture is left.
 * @returns undefined for an image that does not decode
 */
export type CleanImages = (bytes: Buffer, wholesalerId: string) => Promise<CleanImage | undefined>;

/**
 * A cleaner that works on one image at a time and takes turns between wholesalers. It throws
 * RATE_LIMIT_EXCEEDED when too many of the wholesaler wait, SERVICE_UNAVAILABLE when too many do.
 */
export function createImageCleaner(log: Logger): CleanImages {
  // Images never repeat, and one core for each is what the limit above counts on.
  sharp.cache(false);
  sharp.concurrency(1);
  // Whatever else libvips could read is no business of ours.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

  const turns = new FairTurns({ perTenant: MAX_WAITING_OF_WHOLESALER, inAll: MAX_WAITING });

  return (bytes, wholesalerId) =>
    turns.run(
      wholesalerId,
      async () => {
        try {
          return await clean(bytes);
        } catch (error) {
          log.info({ reason: error instanceof Error ? error.message : 'unknown' }, 'not an image');
          return undefined;
        }
      },
      refusalError,
    );
}

function refusalError(refusal: Refusal): AppError {
  const code = refusal === 'all-is-full' ? 'SERVICE_UNAVAILABLE' : 'RATE_LIMIT_EXCEEDED';
  return new AppError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function clean(bytes: Buffer): Promise<CleanImage> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
