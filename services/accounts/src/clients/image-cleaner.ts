import type { Logger } from '@fiado/chassis/logger';
import { AppError } from '@fiado/contracts/errors';
import { FairTurns, type Refusal } from './fair-turns';
import type { ImageProcess } from './image-process';
import type { CleanImage } from './image-process-messages';

/**
 * Images of one wholesaler that wait for their turn. Images are decoded one at a time, because the
 * largest take 230 MB and a core for three seconds.
 */
const MAX_WAITING_OF_WHOLESALER = 4;
/** Images that wait in all: each holds its 5 MB and the body that it came in. */
const MAX_WAITING = 10;
/** Retry-After of a refusal: time for the largest image. */
const RETRY_AFTER_SECONDS = 5;
/**
 * Cleans images of unknown origin: decodes and encodes them again, which removes metadata (place,
 * phone model) and anything hidden in the file.
 * @returns undefined for an image that does not decode
 */
export type CleanImages = (bytes: Buffer, wholesalerId: string) => Promise<CleanImage | undefined>;

/**
 * A cleaner that works on one image at a time and takes turns between wholesalers. It throws
 * RATE_LIMIT_EXCEEDED when too many of the wholesaler wait, SERVICE_UNAVAILABLE when too many do.
 */
export function createImageCleaner(process: ImageProcess, log: Logger): CleanImages {
  const turns = new FairTurns({ perTenant: MAX_WAITING_OF_WHOLESALER, inAll: MAX_WAITING });

  return (bytes, wholesalerId) =>
    turns.run(
      wholesalerId,
      async () => {
        const answer = await process.clean(bytes);
        if ('image' in answer) return answer.image;
        log.info({ reason: answer.problem }, 'not an image');
        return undefined;
      },
      refusalError,
    );
}

function refusalError(refusal: Refusal): AppError {
  const code = refusal === 'all-is-full' ? 'SERVICE_UNAVAILABLE' : 'RATE_LIMIT_EXCEEDED';
  return new AppError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
