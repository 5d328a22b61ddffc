import type { Logger } from '@fiado/shared/chassis/logger';
import { AppError } from '@fiado/shared/contracts/errors';
import sharp from 'sharp';
import { MAX_IMAGE_PIXELS } from '../domain/image';

/** Images worked on at once: the largest take some 300 MB, and a core for two seconds. */
const CONCURRENCY = 2;
/** Images that wait for their turn: were all of the largest, the last is done after some 13 s. */
const MAX_WAITING = 10;
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
export type CleanImages = (bytes: Buffer) => Promise<CleanImage | undefined>;

/** A cleaner that works on few images at once. It throws SERVICE_UNAVAILABLE when too many wait. */
export function createImageCleaner(log: Logger): CleanImages {
  // Images never repeat, and one core for each is what the limit above counts on.
  sharp.cache(false);
  sharp.concurrency(1);
  // Whatever else libvips could read is no business of ours.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

  let running = 0;
  const waiting: Array<() => void> = [];

  return async (bytes) => {
    if (running === CONCURRENCY) {
      if (waiting.length === MAX_WAITING) throw new AppError('SERVICE_UNAVAILABLE');
      // Whoever ends hands its place over: running stays.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await clean(bytes);
    } catch (error) {
      log.info({ reason: error instanceof Error ? error.message : 'unknown' }, 'not an image');
      return undefined;
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
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
