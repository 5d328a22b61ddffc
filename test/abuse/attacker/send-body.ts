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
