import { AppError } from '@fiado/shared/contracts/errors';

/**
 * Bytes of request bodies that one credential may have in flight. A service keeps a body in memory
 * until it has answered; this is five onboarding images of the largest size (8 MiB) at the same time.
 */
export const MAX_BODY_BYTES_IN_FLIGHT = 40 * 1024 * 1024;
/**
 * A body that is streamed to its service counts for at least so many bytes, because it occupies a
 * connection until it has arrived. One credential can occupy 160 of the 256.
 */
export const MIN_STREAMED_BYTES = 256 * 1024;
/** The largest image arrives within this time on a line of 40 Mbit/s. */
const RETRY_AFTER_SECONDS = 2;

/** What the body of one request counts for. */
export interface BodyInFlight {
  /** @throws AppError RATE_LIMIT_EXCEEDED when the credential has too many bytes in flight */
  add(bytes: number): void;
  /** The request was answered, or its caller left. */
  end(): void;
}

/** Begins to count the body of one request of a credential. */
export type BodyLimit = (credential: string) => BodyInFlight;

/** The limit of body bytes in flight for each credential, in this process. */
export function createBodyLimit(): BodyLimit {
  const bytesInFlight = new Map<string, number>();
  return (credential) => {
    let own = 0;
    return {
      add: (bytes) => {
        const total = (bytesInFlight.get(credential) ?? 0) + bytes;
        if (total > MAX_BODY_BYTES_IN_FLIGHT) {
          throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        own += bytes;
        bytesInFlight.set(credential, total);
      },
      end: () => {
        const rest = (bytesInFlight.get(credential) ?? 0) - own;
        own = 0;
        if (rest > 0) bytesInFlight.set(credential, rest);
        else bytesInFlight.delete(credential);
      },
    };
  };
}
