import { setTimeout as sleep } from 'node:timers/promises';
import { Fiado, FiadoConnectionError, type Fetch } from '@fiado/client';

/** How long the story waits for events and SMS. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 100;

/** A request of the lender's operations team. */
interface OpsCall {
  key: string;
  path: string;
  body?: object;
}

/** Makes the calls of the story and prints each request, answer and SMS. */
export interface Narrator {
  chapter(title: string): void;
  say(line: string): void;
  /** A client whose requests and answers are printed. */
  client(apiKey: string): Fiado;
  /** POST to an operation of the lender, which the client does not have. */
  ops(call: OpsCall): Promise<void>;
  /** The text of the newest SMS to a customer of the key's wholesaler, by its template. */
  sms(apiKey: string, phoneNumber: string, template: string): Promise<string>;
  /** Calls again and again, in silence, until the answer is as wanted. */
  until(apiKey: string, what: string, isThere: (fiado: Fiado) => Promise<boolean>): Promise<void>;
}

export function createNarrator(baseUrl: string, colours: boolean): Narrator {
  const paint = (code: number, text: string): string =>
    colours ? `\u001B[${code}m${text}\u001B[0m` : text;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);

  const narrated: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const text = await response.text();
    say(
      `  ${paint(36, `${init.method} ${url.slice(baseUrl.length)}`)} ${init.body ?? ''}`.trimEnd(),
    );
    say(`  ${paint(32, `→ ${response.status}`)} ${text}`.trimEnd());
    return {
      status: response.status,
      headers: response.headers,
      text: () => Promise.resolve(text),
    };
  };
  const quiet = (apiKey: string): Fiado => new Fiado({ apiKey, baseUrl });

  return {
    say: (line) => say(`  ${line}`),
    chapter: (title) => say(`\n${paint(1, title)}`),
    client: (apiKey) => new Fiado({ apiKey, baseUrl, fetch: narrated }),
    ops: async ({ key, path, body }) => {
      const response = await narrated(`${baseUrl}/v1/admin${path}`, {
        method: 'POST',
        headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: undefined as never,
      });
      if (response.status < 300) return;
      const text = await response.text();
      throw new Error(`POST ${path} answered ${response.status}: ${text}`);
    },
    sms: async (apiKey, phoneNumber, template) => {
      const fiado = quiet(apiKey);
      const body = await until(`the SMS ${template}`, async () => {
        const { messages } = await fiado.sandbox.listMessages({ phoneNumber });
        const newest = messages.find((message) => message.template === template);
        return newest?.status === 'sent' ? (newest.body ?? undefined) : undefined;
      });
      say(`  ${paint(35, `✉ SMS to ${phoneNumber}:`)} ${body}`);
      return body;
    },
    until: async (apiKey, what, isThere) => {
      const fiado = quiet(apiKey);
      await until(what, async () => (await isThere(fiado)) || undefined);
    },
  };
}

async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`waited ${TIMEOUT_MS / 1000} s for ${what}`);
    await sleep(POLL_MS);
  }
}

/** The reason why the demo stopped, for a person. */
export function textOf(error: unknown, baseUrl: string): string {
  const code = (error as { cause?: { code?: string } }).cause?.code;
  if (error instanceof FiadoConnectionError || code === 'ECONNREFUSED') {
    return `no answer from ${baseUrl}: is \`npm start\` running?`;
  }
  return error instanceof Error ? error.message : String(error);
}
