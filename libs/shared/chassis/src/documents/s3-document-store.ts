import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { Breaker } from '../clients/breaker';
import type { Logger } from '../logger';
import type { Timing } from '../timing';
import { AppError } from '@fiado/contracts/errors';
import { type DocumentStore, newDocumentKey } from './document-store';
import { type S3Place, s3PlaceOf } from './s3-place';

interface S3Options {
  place: S3Place;
  /** Undefined: those that the SDK finds (the role of the machine or the pod, `AWS_*`). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  timing: Timing;
  log: Logger;
}

/**
 * The store of an s3 URL.
 * @param secretAccessKey with accessKeyId a key of the store; without both the SDK finds one
 * @param subfolder below the place of the URL, with a slash at its end
 * @throws Error for a URL that s3PlaceOf does not read
 */
export function openS3DocumentStore({
  url,
  subfolder = '',
  accessKeyId,
  secretAccessKey,
  ...parts
}: {
  url: string;
  subfolder?: string;
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
} & Pick<S3Options, 'timing' | 'log'>): DocumentStore {
  const place = s3PlaceOf(url);
  if (place === undefined) throw new Error('The URL of a store of documents is none of S3');
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey };
  return createS3DocumentStore({
    place: { ...place, prefix: place.prefix + subfolder },
    credentials,
    ...parts,
  });
}

/** Documents as objects of an S3 bucket, for any number of instances. */
export function createS3DocumentStore(options: S3Options): DocumentStore {
  const { bucket: Bucket, prefix } = options.place;
  const { ask, close } = connectToS3(options);
  const place = (key: string) => ({ Bucket, Key: `${prefix}${key}` });

  return {
    async put(content) {
      const key = newDocumentKey();
      await ask(({ PutObjectCommand }, client, signal) =>
        client.send(new PutObjectCommand({ ...place(key), Body: content }), signal),
      );
      return key;
    },
    get: (key) =>
      ask(async ({ GetObjectCommand }, client, signal) => {
        const { Body } = await client.send(new GetObjectCommand(place(key)), signal);
        if (Body === undefined) throw new Error('An object without a body');
        return Buffer.from(await Body.transformToByteArray());
      }),
    async remove(key) {
      await ask(({ DeleteObjectCommand }, client, signal) =>
        client.send(new DeleteObjectCommand(place(key)), signal),
      );
    },
    async *listPutBefore(time) {
      let token: string | undefined;
      do {
        const page = { Bucket, Prefix: prefix, ContinuationToken: token };
        const { Contents = [], NextContinuationToken } = await ask(
          ({ ListObjectsV2Command }, client, signal) =>
            client.send(new ListObjectsV2Command(page), signal),
        );
        yield Contents.flatMap(({ Key = '', LastModified }) => {
          const key = Key.slice(prefix.length);
          // Files in a folder below this one belong to another store.
          const isOwn = !key.includes('/');
          return isOwn && LastModified !== undefined && LastModified < time ? [key] : [];
        });
        token = NextContinuationToken;
      } while (token !== undefined);
    },
    close,
  };
}

const CONNECT_TIMEOUT_MS = 1_000;

const TRIES = 2;

/** Longer than one call may take. */
const BREAKER_WINDOW_MS = 30_000;

type Sdk = typeof import('@aws-sdk/client-s3');

type Question<Answer> = (
  sdk: Sdk,
  client: S3Client,
  signal: { abortSignal: AbortSignal },
) => Promise<Answer>;

interface S3Connection {
  /**
   * Asks the store, within Timing.s3Call.
   * @throws AppError SERVICE_UNAVAILABLE when it is unavailable or refuses; the SDK's NoSuchKey as it is
   */
  ask: <Answer>(question: Question<Answer>) => Promise<Answer>;
  close: () => Promise<void>;
}

/** A client of an S3 store, which connects with the first question. */
function connectToS3({ place, credentials, timing, log }: S3Options): S3Connection {
  const breaker = new Breaker({ upstream: 's3', use: 'documents', windowMs: BREAKER_WINDOW_MS });
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  return {
    ask: async (question) => {
      const { sdk, client } = await (opened ??= open({ place, credentials, timing }));
      const settle = breaker.start();
      try {
        const answer = await question(sdk, client, {
          abortSignal: AbortSignal.timeout(timing.s3Call),
        });
        settle('answered');
        return answer;
      } catch (error) {
        const { name, $metadata } = error as Partial<S3ServiceException>;
        const status = $metadata?.httpStatusCode ?? 0;
        settle(status >= 400 && status < 500 ? 'answered' : 'failed');
        if (name === 'NoSuchKey') throw error;
        log.error({ reason: name, status }, 'the store of documents did not do what was asked');
        throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
      }
    },
    close: async () => (await opened)?.client.destroy(),
  };
}

/** The SDK takes some tenths of a second to load, which an installation without S3 saves. */
async function open({
  place: { region, endpoint },
  credentials,
  timing,
}: Omit<S3Options, 'log'>): Promise<{ sdk: Sdk; client: S3Client }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    maxAttempts: TRIES,
    // The seal of a document authenticates it, and some stores refuse the SDK's own checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: timing.s3Try,
      socketTimeout: timing.s3Try,
      throwOnRequestTimeout: true,
    },
    ...(credentials && { credentials }),
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
  });
  return { sdk, client };
}
