import { Busboy } from '@fastify/busboy';
import type { Request } from 'express';
import { STEP_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { AppError } from '@fiado/contracts/errors';
import { MAX_IMAGE_BYTES } from '@fiado/contracts/onboarding';

/** Longest form with a picture that is read, in bytes. */
const MAX_FORM_BYTES = STEP_BODY_LIMIT;

/** One picture, and nothing else of more than a few bytes. */
const LIMITS = {
  fileSize: MAX_IMAGE_BYTES,
  files: 1,
  fields: 1,
  parts: 2,
  fieldNameSize: 50,
  fieldSize: 100,
  headerPairs: 10,
  headerSize: 4_096,
};

/** The picture of a form, or why there is none. */
export type Photo = { bytes: Buffer } | { problem: 'none' | 'too-large' | 'too-slow' };

/** Length of a form, as its sender declared it; all browsers do. @throws AppError without one */
export function formLength(req: Request): number {
  const length = Number(req.headers['content-length']);
  if (!Number.isSafeInteger(length)) throw new AppError('MALFORMED_REQUEST');
  return length;
}

/**
 * Reads the picture of a multipart form. No more than MAX_IMAGE_BYTES are kept in memory.
 * @param tooSlow ends the reading
 * @throws AppError MALFORMED_REQUEST for another or a broken form
 */
export async function readPhoto(req: Request, tooSlow: AbortSignal): Promise<Photo> {
  if (Number(req.headers['content-length']) > MAX_FORM_BYTES) return { problem: 'too-large' };
  const parser = parserOf(req);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let isTooLarge = false;
    const refuse = (cause?: unknown): void => {
      req.unpipe(parser);
      req.resume();
      reject(new AppError('MALFORMED_REQUEST', { cause }));
    };
    parser.on('file', (_name, file) => {
      file.on('data', (chunk: Buffer) => {
        if (!isTooLarge) chunks.push(chunk);
      });
      file.on('limit', () => {
        isTooLarge = true;
        chunks.length = 0;
      });
      // A form that breaks off in the middle of the file.
      file.on('error', refuse);
    });
    parser.once('finish', () => {
      if (isTooLarge) resolve({ problem: 'too-large' });
      else if (chunks.length === 0) resolve({ problem: 'none' });
      else resolve({ bytes: Buffer.concat(chunks) });
    });
    parser.on('error', refuse);
    tooSlow.addEventListener('abort', () => {
      req.unpipe(parser);
      req.resume();
      chunks.length = 0;
      resolve({ problem: 'too-slow' });
    });
    // The sender left. A form that has arrived ends with one of the other events.
    req.once('close', () => {
      if (!req.complete) refuse();
    });
    req.pipe(parser);
  });
}

function parserOf({ headers }: Request): InstanceType<typeof Busboy> {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) throw new AppError('MALFORMED_REQUEST');
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS });
  } catch (cause) {
    throw new AppError('MALFORMED_REQUEST', { cause });
  }
}

const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG_START = Buffer.from('ffd8ff', 'hex');

/** The format of a picture by its first bytes, as a file extension; undefined for another one. */
export function extensionOf(bytes: Buffer): 'png' | 'jpg' | undefined {
  if (bytes.subarray(0, PNG_START.length).equals(PNG_START)) return 'png';
  return bytes.subarray(0, JPEG_START.length).equals(JPEG_START) ? 'jpg' : undefined;
}

/** Uploads behind one link: a phone that lost its connection begins again before the first upload is given up. */
const MAX_UPLOADS_OF_LINK = 2;
/** Uploads behind all links in this process: each keeps at most 5 MB in memory. */
const MAX_UPLOADS = 50;

/** Whose place a picture takes. */
export interface Upload {
  link: string;
  /** The wholesaler that made the link. */
  wholesalerId: string;
  /** The caller's, or its network. */
  address: string;
}

/**
 * Takes a place for a picture that is sent behind a link.
 * @returns gives the place back; undefined when there is none
 */
export type UploadLimit = (upload: Upload) => (() => void) | undefined;

/**
 * The number of pictures that arrive at the same time, in this process. A wholesaler and an address each
 * take a further place only while they have fewer than are left. So one alone takes half of them, two
 * take a third each, and whoever has none gets one of the last.
 */
export function createUploadLimit(): UploadLimit {
  const running = new Map<string, number>();
  let inAll = 0;
  const runningOf = (owner: string): number => running.get(owner) ?? 0;
  const add = (owner: string, places: number): void => {
    const left = runningOf(owner) + places;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
  };

  return ({ link, wholesalerId, address }) => {
    const sharers = [`wholesaler ${wholesalerId}`, `address ${address}`];
    const owners = [`link ${link}`, ...sharers];
    const free = MAX_UPLOADS - inAll;
    if (runningOf(`link ${link}`) >= MAX_UPLOADS_OF_LINK) return undefined;
    if (sharers.some((sharer) => runningOf(sharer) >= free)) return undefined;
    for (const owner of owners) add(owner, 1);
    inAll += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      inAll -= 1;
      for (const owner of owners) add(owner, -1);
    };
  };
}
