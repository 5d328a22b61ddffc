import { setTimeout as pause } from 'node:timers/promises';
import { Fiado, type AnswerOf } from '@fiado/client';
import { type Command, Option } from 'commander';
import { addressOf, apiAddressOf, refuseLive, UsageError, type Output } from './command-options';
import { checkSecret, newSecret, postWebhook, signed } from './webhooks/post-webhook';

/** Wait between two looks when no event was found. */
const POLL_MS = 1_000;
/** Events of one look. */
const PAGE_SIZE = 100;
/** Events do not wait for an API that restarts: it is asked again for a minute. */
const PATIENCE = { deadlineMs: 60_000, maxRetries: Number.POSITIVE_INFINITY };

interface Options {
  url: string;
  key: string;
  forward: string;
  secret?: string;
  max?: string;
}

type FiadoEvent = AnswerOf<'listEvents'>['events'][number];

/** fiado-check listen: forwards the events of a wholesaler or payment provider to a local address. */
export function addListen(program: Command, { stdout, stderr }: Output): void {
  program
    .command('listen')
    .description('forwards each new event to a receiver, signed as webhooks are')
    .requiredOption('--url <url>', 'address of the sandbox')
    .addOption(
      new Option('--key <key>', 'test key of a wholesaler or payment provider')
        .env('API_KEY')
        .makeOptionMandatory(),
    )
    .requiredOption('--forward <url>', 'where each event is posted')
    .option('--secret <secret>', 'signing secret (default: a new one, which is printed)')
    .option('--max <count>', 'end after so many events')
    .action(async (options: Options) => {
      const { key: apiKey } = options;
      refuseLive(apiKey);
      addressOf('--forward', options.forward);
      const url = new URL(options.forward);
      const secret = options.secret ?? newSecret();
      checkSecret(secret);
      const max = maxOf(options.max);
      const fiado = new Fiado({ apiKey, baseUrl: apiAddressOf('--url', options.url) });
      const from = new Date().toISOString();
      await fiado.events.changeSettings({ enabled: true }, PATIENCE);
      stderr.write(`forwarding events to ${url.href}; signing secret: ${secret}\n`);

      let forwarded = 0;
      for await (const event of newEvents(fiado, from)) {
        const result = await forward(url, secret, event);
        stdout.write(`${event.type} ${event.id}: ${result}\n`);
        forwarded += 1;
        if (forwarded === max) return;
      }
    });
}

/** Events as they happen, oldest first, without end. */
async function* newEvents(fiado: Fiado, from: string): AsyncGenerator<FiadoEvent> {
  let cursor: string | undefined;
  for (;;) {
    const query = { limit: PAGE_SIZE, ...(cursor === undefined ? { from } : { cursor }) };
    for await (const event of fiado.events.list(query, PATIENCE)) {
      yield event;
      cursor = event.id;
    }
    await pause(POLL_MS);
  }
}

/** Posts an event once. @returns the status, or why there was none */
async function forward(url: URL, secret: string, event: FiadoEvent): Promise<number | string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const webhook = { id: event.id, timestamp, body: JSON.stringify(event) };
  try {
    return (await postWebhook(url, webhook, signed(webhook, secret))).status;
  } catch (error) {
    return failureCode(error);
  }
}

/** ECONNREFUSED and the like: fetch hides it in the cause, a time-out in its name. */
function failureCode(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name ?? String(error);
}

function maxOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--max must be a positive integer');
  return Number(text);
}
