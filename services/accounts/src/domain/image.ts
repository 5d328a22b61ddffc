/** Largest image that is taken, decoded: the spec recommends at most 1 MB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Most pixels that are taken: 200 MB when decoded at 16 bits, and more than most phones' default. */
export const MAX_IMAGE_PIXELS = 25_000_000;

/** What the spec recommends and does not enforce. */
const RECOMMENDED_MIN_BYTES = 250 * 1000;
const RECOMMENDED_MAX_BYTES = 1000 * 1000;
const RECOMMENDED_MIN_WIDTH = 750;

export const FILE_EXTENSIONS = ['png', 'jpg', 'jpeg'] as const;
export type FileExtension = (typeof FILE_EXTENSIONS)[number];

export interface ImageHeader {
  format: 'png' | 'jpeg';
  /** In pixels, before any turning that the image's metadata asks for. */
  width: number;
  height: number;
}

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PNG_HEADER_BYTES = 24;

/**
 * Base64 as RFC 4648 has it, with padding and without line breaks.
 * @returns undefined for any other text: a decoder that guesses would keep half an image
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}

/** What the first bytes say of an image; undefined when they are neither a PNG's nor a JPEG's. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.subarray(0, PNG_START.length).equals(PNG_START) && bytes.length >= PNG_HEADER_BYTES) {
    return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return readJpegHeader(bytes);
}

/** Walks from marker to marker to the first start of frame, which has the dimensions. */
function readJpegHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      // Markers may be padded.
      at += 1;
    } else if (isStartOfFrame(marker)) {
      return {
        format: 'jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    } else {
      const length = bytes.readUInt16BE(at + 2);
      // Two bytes of it are the length itself; the picture's data begins before a frame: broken.
      if (length < 2 || marker === 0xda) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

/** C0 to CF, without the tables C4 and CC and the reserved C8 (ITU T.81, table B.1). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Why an image cannot be taken; undefined when, as far as its header tells, it can. */
export function imageProblem(
  header: ImageHeader | undefined,
  extension: FileExtension,
): string | undefined {
  if (header === undefined) return 'base64Content must hold a PNG or JPEG image';
  const format = extension === 'png' ? 'png' : 'jpeg';
  if (header.format !== format) return 'fileExtension must agree with the image in base64Content';
  const pixels = header.width * header.height;
  if (pixels === 0 || pixels > MAX_IMAGE_PIXELS) {
    return `base64Content must hold an image of at most ${MAX_IMAGE_PIXELS / 1e6} megapixels`;
  }
  return undefined;
}

/** What of the spec's recommendations an image does not meet. */
export function imageWarnings({ width }: ImageHeader, sizeBytes: number): string[] {
  const warnings: string[] = [];
  if (sizeBytes < RECOMMENDED_MIN_BYTES) warnings.push('The image is smaller than 250 KB');
  if (sizeBytes > RECOMMENDED_MAX_BYTES) warnings.push('The image is larger than 1 MB');
  if (width < RECOMMENDED_MIN_WIDTH) {
    warnings.push(`The image is narrower than ${RECOMMENDED_MIN_WIDTH} pixels`);
  }
  return warnings;
}
