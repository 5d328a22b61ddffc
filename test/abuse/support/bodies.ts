import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Without a limit a slow machine would open thousands. */
const agent = new Agent({ keepAlive: true, maxSockets: 300 });

export interface Target {
  method: string;
  url: string;
  key: string;
}

export interface Outcome {
  status: number;
  body: unknown;
}

/** Bodies that cost as much as they can, each filling a route's limit. */
export function hostileBodies(limitBytes: number): Record<string, Buffer> {
  const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
  const keys = (bytes: number) =>
    Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"${String(i).padStart(7, '0')}":1`);
  return {
    deep: Buffer.from(fill('[', limitBytes / 2) + fill(']', limitBytes / 2)),
    wide: Buffer.from(`{"transactions":[${fill('0,', limitBytes - 30)}0]}`),
    'of empty objects': Buffer.from(`{"transactions":[${fill('{},', limitBytes - 30)}{}]}`),
    'one long string': Buffer.from(`{"metadata":"${fill('\\u0041', limitBytes - 30)}"}`),
    'many keys': Buffer.from(`{"metadata":{${keys(limitBytes - 30).join(',')}}}`),
    // As many as are parsed and validated.
    'many lines': Buffer.from(`{"products":[${fill('{"a":1,"b":2},', 40_000)}{}]}`),
  };
}

/** The body of `createTransactions` with as many orders and lines as it takes. */
export function largestBatch(cornerStoreId: string): Buffer {
  const product = { externalSKU: 'SKU-1', name: 'Refresco de cola 600 ml', quantity: 1 };
  const order = {
    cornerStoreId,
    totalAmount: 100,
    metadata: {},
    products: Array.from({ length: 22 }, () => product),
  };
  const transactions = Array.from({ length: 500 }, () => order);
  return Buffer.from(JSON.stringify({ driverId: 'd-1', transactions }));
}

/** The body of `recordOnboardingStep` with a PNG. */
export function hostileUpload(png: Buffer): Buffer {
  const document = { fileExtension: 'png', base64Content: png.toString('base64') };
  return Buffer.from(JSON.stringify({ step: 'SELFIE_IMAGE', document }));
}

/** Sends a body at once. */
export function sendBody(target: Target, body: Buffer): Promise<Outcome> {
  return exchange(target, body.length, (end) => end(body));
}

const TRICKLE_MS = 200;

/** Declares a length and then sends a byte now and then, for so long. */
export function trickle(target: Target, declaredBytes: number, forMs: number): Promise<Outcome> {
  return exchange(target, declaredBytes, async (end, write) => {
    const until = performance.now() + forMs;
    while (performance.now() < until) {
      write(Buffer.from(' '));
      await sleep(TRICKLE_MS);
    }
    end(undefined);
  });
}

function exchange(
  { method, url, key }: Target,
  length: number,
  fill: (end: (last: Buffer | undefined) => void, write: (part: Buffer) => void) => unknown,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: key,
      'content-type': 'application/json',
      'content-length': length,
    };
    const call = request(url, { method, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) });
      });
    });
    call.once('error', reject);
    fill(
      (last) => {
        // Shorter than was declared: nothing but a cut connection ends it.
        if (last === undefined) call.destroy();
        else call.end(last);
      },
      (part) => call.write(part),
    );
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
