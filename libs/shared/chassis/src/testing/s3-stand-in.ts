import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startStandIn, type StandIn, type StandInRequest } from './stand-in';

const BUCKET = 'fiado-test';
const REGION = 'mx-central-1';
const KEY_ID = 'AKIAFIADOTEST';
const SECRET = 'a-secret/of+the-store';
/** Keys of a page: few, so that a test meets several. */
const PAGE_SIZE = 2;
const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000;

/** What the store does with a request: `stall` sends half an object. */
type S3Mode = 'work' | 'refuse' | 'fail' | 'hang' | 'stall';

interface StoredObject {
  content: Buffer;
  lastModified: Date;
}

/** An S3 store in memory, which checks the signature (version 4) and the hash of each request. */
export class S3StandIn {
  readonly objects = new Map<string, StoredObject>();
  mode: S3Mode = 'work';
  /** Requests whose signature was right. */
  signed = 0;
  #server: StandIn | undefined;

  private constructor() {}

  static async start(): Promise<S3StandIn> {
    const store = new S3StandIn();
    store.#server = await startStandIn((request, res) => store.#receive(request, res));
    return store;
  }

  /** Variables of accounts. */
  get config() {
    const endpoint = encodeURIComponent(this.#server?.url ?? '');
    return {
      UPLOADS_URL: `s3://${BUCKET}/images/v1?region=${REGION}&endpoint=${endpoint}`,
      UPLOADS_ACCESS_KEY_ID: KEY_ID,
      UPLOADS_SECRET_ACCESS_KEY: SECRET,
    };
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #receive(request: StandInRequest, res: ServerResponse): void {
    if (this.mode === 'hang') return;
    if (this.mode === 'fail') return answerError(res, 500, 'InternalError');
    if (!isSigned(request)) return answerError(res, 403, 'SignatureDoesNotMatch');
    this.signed += 1;
    if (this.mode === 'refuse') return answerError(res, 403, 'AccessDenied');

    const url = new URL(request.path, 'http://store');
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    if (bucket !== BUCKET) return answerError(res, 404, 'NoSuchBucket');
    const key = rest.join('/');
    if (url.searchParams.get('list-type') === '2') this.#list(url.searchParams, res);
    else if (request.method === 'PUT') this.#put(key, request.bytes, res);
    else if (request.method === 'GET') this.#get(key, res);
    else if (request.method === 'DELETE') {
      this.objects.delete(key);
      res.writeHead(204).end();
    } else answerError(res, 405, 'MethodNotAllowed');
  }

  #put(key: string, content: Buffer, res: ServerResponse): void {
    this.objects.set(key, { content, lastModified: new Date() });
    res.writeHead(200, { etag: '"x"' }).end();
  }

  #get(key: string, res: ServerResponse): void {
    const found = this.objects.get(key);
    if (found === undefined) return answerError(res, 404, 'NoSuchKey');
    res.writeHead(200, { 'content-length': found.content.length });
    if (this.mode === 'stall') res.write(found.content.subarray(0, found.content.length / 2));
    else res.end(found.content);
  }

  #list(query: URLSearchParams, res: ServerResponse): void {
    const after = query.get('continuation-token') ?? '';
    const prefix = query.get('prefix') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.toSorted().slice(0, PAGE_SIZE);
    const contents = page.map((key) => {
      const at = this.objects.get(key)?.lastModified.toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`;
    });
    const isLast = page.length === keys.length;
    const next = isLast ? '' : `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`;
    res
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<ListBucketResult><IsTruncated>${!isLast}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
      );
  }
}

function answerError(res: ServerResponse, status: number, code: string): void {
  res
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** AWS Signature Version 4 in the header, as the documentation of S3 describes it. */
function isSigned({ method, path, headers: given, bytes }: StandInRequest): boolean {
  const { authorization = '' } = given;
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      authorization,
    );
  const [, keyId, day = '', region = '', signedHeaders = '', signature] = parts ?? [];
  const time = String(given['x-amz-date']);
  const hash = String(given['x-amz-content-sha256']);
  const names = signedHeaders.split(';');
  const mustBeSigned = ['host', 'x-amz-date', 'x-amz-content-sha256'];
  if (keyId !== KEY_ID || region !== REGION || !time.startsWith(day)) return false;
  if (!mustBeSigned.every((name) => names.includes(name))) return false;
  if (Math.abs(dateOf(time) - Date.now()) > MAX_CLOCK_DIFFERENCE_MS) return false;
  if (hash !== sha256(bytes)) return false;

  const [place = '', query = ''] = path.split('?');
  const pairs =
    query === '' ? [] : query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const headers = names.map((name) => `${name}:${String(given[name]).trim()}\n`).join('');
  const request = [method, place, pairs.toSorted().join('&'), headers, signedHeaders, hash];
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request.join('\n'))].join('\n');
  let key: Buffer = Buffer.from(`AWS4${SECRET}`);
  for (const part of [day, region, 's3', 'aws4_request']) key = hmac(key, part);
  return hmac(key, toSign).toString('hex') === signature;
}

function dateOf(time: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
