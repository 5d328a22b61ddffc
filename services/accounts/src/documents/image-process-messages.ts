/** The first message of an image process. */
export const READY = 'ready';

/** An image that is only a picture: a JPEG without metadata, turned the right way up. */
export interface CleanImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/** The answer of an image process: the clean image, or the reason why there is none. */
export type CleanAnswer = { image: CleanImage } | { problem: string };
