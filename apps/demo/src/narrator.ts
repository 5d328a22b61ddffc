import { setTimeout as sleep } from 'node:timers/promises';

/** How long the story waits for events and SMS. */
const PATIENCE_MS = 20_000;
const POLL_MS = 100;

/** JSON of an answer, read by name: the story knows what it asked for. */
export type Json = Record<string, unknown>;

interface Call {
  as: string;
  method: string;
  path: string;
  body?: object;
  /** The status that the story expects; any other ends it. */
  expect: number;
}

/** Makes the calls of the story and prints each request, answer and SMS. */
export interface Narrator {
  chapter(title: string): void;
  say(line: string): void;
  call(call: Call): Promise<Json>;
  /** Calls again and again, in silence, until the answer is as wanted; prints that one. */
  callUntil(call: Call, wanted: (answer: Json) => boolean): Promise<Json>;
  /** The newest SMS to a phone with that template and text, as the sandbox shows it. */
  sms(opsKey: string, phone: string, template: string, seen: number): Promise<string>;
}

export function createNarrator(baseUrl: string, colours: boolean): Narrator {
  const paint = (code: number, text: string): string =>
    colours ? `\u001B[${code}m${text}\u001B[0m` : text;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);

  const request = async ({ as, method, path, body, expect }: Call): Promise<Json> => {
    const response = await fetch(`${baseUrl}/v1${path}`, {
      method,
      headers: { authorization: as, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`no answer from ${baseUrl}: is \`npm start\` running?`, { cause: error });
    });
    const text = await response.text();
    const answer = (text === '' ? {} : JSON.parse(text)) as Json;
    if (response.status !== expect) {
      throw new Error(`${method} ${path} answered ${response.status}, not ${expect}: ${text}`);
    }
    return answer;
  };
  const show = ({ method, path, body, expect }: Call, answer: Json): void => {
    say(`  ${paint(36, `${method} /v1${path}`)}${body ? ` ${JSON.stringify(body)}` : ''}`);
    say(`  ${paint(32, `→ ${expect}`)} ${JSON.stringify(answer)}`);
  };

  return {
    say: (line) => say(`  ${line}`),
    chapter: (title) => say(`\n${paint(1, title)}`),
    call: async (call) => {
      const answer = await request(call);
      show(call, answer);
      return answer;
    },
    callUntil: async (call, wanted) => {
      const answer = await until(async () => {
        const latest = await request(call);
        return wanted(latest) ? latest : undefined;
      }, `${call.method} ${call.path}`);
      show(call, answer);
      return answer;
    },
    sms: async (opsKey, phone, template, seen) => {
      const path = `/admin/messages?phoneNumber=${encodeURIComponent(phone)}`;
      const body = await until(async () => {
        const { messages } = await request({ as: opsKey, method: 'GET', path, expect: 200 });
        const ours = (messages as Json[]).filter((message) => message.template === template);
        return ours.length > seen && ours[0]?.status === 'sent' ? String(ours[0].body) : undefined;
      }, `the SMS ${template}`);
      say(`  ${paint(35, `✉ SMS to ${phone}:`)} ${body}`);
      return body;
    },
  };
}

async function until<T>(attempt: () => Promise<T | undefined>, what: string): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`);
    await sleep(POLL_MS);
  }
}
