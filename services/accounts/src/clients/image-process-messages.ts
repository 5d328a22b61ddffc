/** The first message of an image process. */
export const READY = 'ready';

/** An image that is only a picture: a JPEG without metadata, turned the right way up. */
export interface CleanImage {
  bytes: Buffer;
  width: number;
  height: number;
}

/** What an image process answers to the bytes of an image: the clean image, or why there is none. */
export type CleanAnswer = { image: CleanImage } | { problem: string };
