import { FiadoTimeoutError } from './errors';
import type { Resources } from './generated/resources';
import { pause } from './send';
import type { Signal } from './settings';
import type { AnswerOf } from './types';

const DEFAULT_WAIT_MS = 60_000;
/** Pause after the first look; it doubles up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface WaitOptions {
  /** Default 60,000. */
  timeoutMs?: number | undefined;
  signal?: Signal | undefined;
}

type Transaction = AnswerOf<'getTransaction'>;

export interface WaitForStatus {
  /**
   * Reads an order until it has a status, or one of several. Webhooks are cheaper.
   * @throws FiadoTimeoutError
   */
  waitFor(
    transactionId: string,
    status: Transaction['transactionStatus'] | ReadonlyArray<Transaction['transactionStatus']>,
    options?: WaitOptions,
  ): Promise<Transaction>;
}

export interface ReadCode {
  /**
   * The code that a customer of the sandbox got by SMS. Waits until it is sent.
   * @throws FiadoTimeoutError
   */
  code(verificationId: string, options?: WaitOptions): Promise<string>;
}

export function waitForOf({ get }: Pick<Resources['transactions'], 'get'>): WaitForStatus {
  return {
    waitFor: (transactionId, status, options = {}) => {
      const wanted = new Set<string>(typeof status === 'string' ? [status] : status);
      const what = `order ${transactionId} did not become ${[...wanted].join(' or ')}`;
      return until(what, options, async () => {
        const order = await get(transactionId, optionsOf(options));
        return wanted.has(order.transactionStatus) ? order : undefined;
      });
    },
  };
}

export function readCodeOf({ listMessages }: Pick<Resources['sandbox'], 'listMessages'>): ReadCode {
  return {
    code: (verificationId, options = {}) =>
      until(`no code was sent for ${verificationId}`, options, async () => {
        const { messages } = await listMessages({ verificationId }, optionsOf(options));
        const [newest] = messages;
        const isSent = newest?.status === 'sent' || newest?.status === 'delivered';
        return isSent ? /\b\d{6}\b/.exec(newest.body ?? '')?.[0] : undefined;
      }),
  };
}

function optionsOf({ signal }: WaitOptions): { signal?: Signal } {
  return signal === undefined ? {} : { signal };
}

async function until<Found>(
  what: string,
  { timeoutMs = DEFAULT_WAIT_MS, signal }: WaitOptions,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const giveUpAt = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined) return found;
    const leftMs = giveUpAt - Date.now();
    if (leftMs <= 0) throw new FiadoTimeoutError(`${what} in ${timeoutMs} ms`);
    await pause(Math.min(pauseMs, leftMs), signal);
  }
}
