import { FiadoTimeoutError } from './errors';
import { ROUTES, type Resources } from './generated/resources';
import { createResources } from './resources';
import { pause } from './send';
import type { FiadoOptions, RequestOptions, Signal } from './settings';
import type { AnswerOf, BodyOf } from './types';
import { unwrapWebhook } from './webhooks';

/** Most orders that the API accepts in a batch. */
const BATCH_SIZE = 500;
/** The API accepts 2 MB; the rest is for the frame of the body. */
const BATCH_BYTES = 1_900_000;

const DEFAULT_WAIT_MS = 60_000;
/** Pause after the first look; it doubles up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** A client of the Fiado API. */
export class Fiado {
  readonly accounts: Resources['accounts'];
  readonly auth: Resources['auth'];
  readonly cornerStores: Resources['cornerStores'];
  readonly events: Resources['events'];
  readonly payments: Resources['payments'];
  readonly sandbox: Resources['sandbox'] & ReadCode;
  readonly transactions: Resources['transactions'] & CreateMany & WaitForStatus;
  readonly webhookEndpoints: Resources['webhookEndpoints'];
  /** `unwrap` verifies the webhooks that you receive. */
  readonly webhooks = { unwrap: unwrapWebhook };

  /** @throws TypeError for options that cannot work */
  constructor(options: FiadoOptions) {
    const resources = createResources(options, ROUTES) as unknown as Resources;
    const { transactions, sandbox } = resources;
    this.accounts = resources.accounts;
    this.auth = resources.auth;
    this.cornerStores = resources.cornerStores;
    this.events = resources.events;
    this.payments = resources.payments;
    this.sandbox = { ...sandbox, ...readCodeOf(sandbox) };
    this.transactions = {
      ...transactions,
      ...createManyOf(transactions),
      ...waitForOf(transactions),
    };
    this.webhookEndpoints = resources.webhookEndpoints;
  }
}

interface WaitOptions {
  /** Default 60,000. */
  timeoutMs?: number | undefined;
  signal?: Signal | undefined;
}

type Transaction = AnswerOf<'getTransaction'>;

interface WaitForStatus {
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

interface ReadCode {
  /**
   * The code that a customer of the sandbox got by SMS. Waits until it is sent.
   * @throws FiadoTimeoutError
   */
  code(verificationId: string, options?: WaitOptions): Promise<string>;
}

function waitForOf({ get }: Pick<Resources['transactions'], 'get'>): WaitForStatus {
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

function readCodeOf({ listMessages }: Pick<Resources['sandbox'], 'listMessages'>): ReadCode {
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

type Batch = BodyOf<'createTransactions'>;

type Order = Batch['transactions'][number];

/** Options of createMany: the key is needed, as batches without one cannot be repeated together. */
type CreateManyOptions = RequestOptions & { idempotencyKey: string };

interface CreateMany {
  /**
   * Creates any number of orders, in batches of at most 500, one after the other. Batch n has the key
   * `<idempotencyKey>-<n>`, so an import that stopped is continued by the same call.
   * @returns a result for each order, in the same order
   * @throws the error of a batch; the batches before it have taken effect
   */
  createMany(body: Batch, options: CreateManyOptions): Promise<AnswerOf<'createTransactions'>>;
}

function createManyOf({ createBatch }: Pick<Resources['transactions'], 'createBatch'>): CreateMany {
  return {
    async createMany({ transactions, ...common }, options) {
      if (options?.idempotencyKey === undefined) {
        throw new TypeError('createMany needs an idempotencyKey');
      }
      const results: AnswerOf<'createTransactions'> = [];
      for (const [number, batch] of batchesOf(transactions).entries()) {
        const idempotencyKey = `${options.idempotencyKey}-${number}`;
        const body = { ...common, transactions: batch };
        results.push(...(await createBatch(body, { ...options, idempotencyKey })));
      }
      return results;
    },
  };
}

/** The same orders always make the same batches, as their keys demand. */
function batchesOf(orders: readonly Order[]): Order[][] {
  const encoder = new TextEncoder();
  const batches: Order[][] = [];
  let bytes = 0;
  for (const order of orders) {
    const size = encoder.encode(JSON.stringify(order)).length + 1;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === BATCH_SIZE || bytes + size > BATCH_BYTES) {
      batches.push([order]);
      bytes = size;
    } else {
      batch.push(order);
      bytes += size;
    }
  }
  return batches;
}
