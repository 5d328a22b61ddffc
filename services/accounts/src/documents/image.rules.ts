import type { ImageWarning } from '@fiado/contracts/onboarding';

/** Most pixels of an image: more than most phones take by default. */
export const MAX_IMAGE_PIXELS = 25_000_000;
/**
 * Most memory that decoding an image may need. A baseline JPEG of 25 megapixels needs 75 MB, a
 * progressive one of 12 megapixels, as messengers send them, 108 MB.
 */
export const MAX_DECODED_BYTES = 128 * 1024 * 1024;

/** Recommendations of the specification, which are not enforced. */
const RECOMMENDED_MIN_BYTES = 250 * 1000;
const RECOMMENDED_MAX_BYTES = 1000 * 1000;
const RECOMMENDED_MIN_WIDTH = 750;

/**
 * Below it a picture is blurred: the standard deviation of its Laplacian, in grey and 800 pixels wide.
 * Sharp photos and a drawn identity document have 0.8 to 4; the same, blurred until their small print is
 * not readable (a Gaussian of 4 pixels at 1,600), 0.2 to 0.5.
 */
export const MIN_SHARPNESS = 0.4;

export const FILE_EXTENSIONS = ['png', 'jpg', 'jpeg'] as const;
export type FileExtension = (typeof FILE_EXTENSIONS)[number];

export interface ImageHeader {
  format: 'png' | 'jpeg';
  /** In pixels, before any turning that the image's metadata asks for. */
  width: number;
  height: number;
  /** Memory that decoding may need, in bytes. */
  decodedBytes: number;
}

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PNG_HEADER_BYTES = 29;
/** Channels by colour type, with the alpha channel that a later chunk may add; a palette is RGBA. */
const PNG_CHANNELS: Record<number, number> = { 0: 2, 2: 4, 3: 4, 4: 2, 6: 4 };
/** An interlaced PNG is held whole, and once more when it is turned or flattened. */
const INTERLACED_COPIES = 2;
/** A JPEG in several scans keeps a coefficient of two bytes with each sample of one byte. */
const BYTES_PER_SCANNED_SAMPLE = 3;

/**
 * Base64 as RFC 4648 has it, with padding and without line breaks.
 * @returns undefined for any other text, because a lenient decoder would store half an image
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}

/**
 * Format and dimensions from the first bytes of an image; undefined if it is neither PNG nor JPEG.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.subarray(0, PNG_START.length).equals(PNG_START) && bytes.length >= PNG_HEADER_BYTES) {
    return readPngHeader(bytes);
  }
  return readJpegHeader(bytes);
}

/** The chunk IHDR: width, height, bit depth, colour type and interlacing (PNG, 11.2.2). */
function readPngHeader(bytes: Buffer): ImageHeader | undefined {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const channels = PNG_CHANNELS[bytes.readUInt8(25)];
  if (channels === undefined) return undefined;
  const bytesPerSample = bytes.readUInt8(24) > 8 ? 2 : 1;
  const copies = bytes.readUInt8(28) === 0 ? 1 : INTERLACED_COPIES;
  return {
    format: 'png',
    width,
    height,
    decodedBytes: width * height * channels * bytesPerSample * copies,
  };
}

/** Walks from marker to marker: the start of frame has the dimensions, the first scan follows it. */
function readJpegHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  let frameAt: number | undefined;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      // Markers may be padded.
      at += 1;
      continue;
    }
    if (marker === 0xda) return frameAt === undefined ? undefined : readFrame(bytes, frameAt, at);
    if (frameAt === undefined && isStartOfFrame(marker)) frameAt = at;
    const length = bytes.readUInt16BE(at + 2);
    // Two bytes of it are the length itself.
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return frameAt === undefined ? undefined : readFrame(bytes, frameAt, undefined);
}

/** A frame whose first scan is absent or has not all components is decoded in several scans. */
function readFrame(bytes: Buffer, at: number, scanAt: number | undefined): ImageHeader | undefined {
  const components = bytes[at + 9];
  if (components === undefined) return undefined;
  const [width, height] = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  const inOneScan =
    !isProgressive(bytes[at + 1]) && scanAt !== undefined && bytes[scanAt + 4] === components;
  return {
    format: 'jpeg',
    width,
    height,
    decodedBytes: width * height * components * (inOneScan ? 1 : BYTES_PER_SCANNED_SAMPLE),
  };
}

/** C2, C6, CA and CE (ITU T.81, table B.1). */
function isProgressive(marker: number | undefined): boolean {
  return marker !== undefined && (marker & 0b11) === 0b10;
}

/** C0 to CF, without the tables C4 and CC and the reserved C8 (ITU T.81, table B.1). */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Why an image is refused by its header; undefined if it is not. */
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
  if (header.decodedBytes > MAX_DECODED_BYTES) {
    return `base64Content must hold an image that decodes to at most ${MAX_DECODED_BYTES / 1024 ** 2} MB`;
  }
  return undefined;
}

/** The recommendations of the spec that an image does not meet. */
export function imageWarnings({ width }: ImageHeader, sizeBytes: number): ImageWarning[] {
  const warnings: ImageWarning[] = [];
  if (sizeBytes < RECOMMENDED_MIN_BYTES) warnings.push('few-bytes');
  if (sizeBytes > RECOMMENDED_MAX_BYTES) warnings.push('many-bytes');
  if (width < RECOMMENDED_MIN_WIDTH) warnings.push('narrow');
  return warnings;
}

/** A warning in the words of the API. */
export const WARNING_TEXTS: Record<ImageWarning, string> = {
  'few-bytes': 'The image is smaller than 250 KB',
  'many-bytes': 'The image is larger than 1 MB',
  narrow: `The image is narrower than ${RECOMMENDED_MIN_WIDTH} pixels`,
  blurred: 'The image is blurred',
};
