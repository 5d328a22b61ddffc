import { setTimeout as sleep } from 'node:timers/promises';
import { Fiado } from '@fiado/client';
import { send, type Answer } from '@fiado/chassis/testing/call';
import { undocumented } from '../../contract/support/conformance';

/** Ends what hangs. */
const EVENT_DEADLINE_MS = 60_000;
const POLL_MS = 50;
const READY_TIMEOUT_MS = 1_500;

/** A running Fiado as it is seen from outside. */
export interface Api {
  baseUrl: string;
  opsKey: string;
  call(key: string, method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** The client with that key. */
  client(key: string): Fiado;
  /** The newest SMS to a phone by that template, once there are more than `seen`. */
  sms(phone: string, template: string, seen?: number): Promise<string>;
}

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** How requests are sent and their answers read, where it is not as usual. */
interface ApiOptions {
  /** Sends a request, where it is not sent once and to that base. */
  request?: typeof send;
  /** Whether an answer may be one of an earlier build, which the OpenAPI document does not describe. */
  takesEarlierAnswers?: boolean;
}

/** The Fiado at that base. Its answers are compared with the OpenAPI document. */
export function openApi(
  baseUrl: string,
  opsKey: string,
  { request = send, takesEarlierAnswers = false }: ApiOptions = {},
): Api {
  // Whatever the test is about.
  const check = (method: string, path: string, answer: Answer): void => {
    if (takesEarlierAnswers) return;
    const [problem] = undocumented(method, path, answer);
    if (problem !== undefined) throw new Error(`Not in the document: ${problem}`);
  };
  const call: Api['call'] = async (key, method, path, { body, headers } = {}) => {
    const url = `${baseUrl}/v1${path}`;
    const answer = await request(url, method, body, { authorization: key, ...headers });
    check(method, path, answer);
    return answer;
  };
  return {
    baseUrl,
    opsKey,
    call,
    client: (apiKey) =>
      new Fiado({
        apiKey,
        baseUrl,
        fetch: async (url, { method, headers, body }) => {
          const answer = await request(url, method, body, headers);
          check(method, url.slice(`${baseUrl}/v1`.length), answer);
          return { ...answer, text: () => Promise.resolve(answer.text) };
        },
      }),
    sms: (phone, template, seen = 0) =>
      waitFor(async () => {
        const search = { body: { phoneNumber: phone } };
        const { body } = await call(opsKey, 'POST', '/admin/messages/search', search).catch(() => ({
          body: undefined,
        }));
        const ours = (body?.messages ?? []).filter(
          (message: { template: string }) => message.template === template,
        );
        return ours.length > seen && ours[0].status === 'sent' ? ours[0].body : undefined;
      }),
  };
}

/** Whether the process at that port of this machine is ready. */
export async function isReady(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(READY_TIMEOUT_MS);
  return fetch(`http://127.0.0.1:${port}/health/ready`, { signal })
    .then(async ({ ok, body }) => {
      await body?.cancel();
      return ok;
    })
    .catch(() => false);
}

/** Waits until an attempt gives something; what travels by event takes a moment. */
export async function waitFor<T>(
  attempt: () => Promise<T | undefined>,
  deadlineMs = EVENT_DEADLINE_MS,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error('Waited too long');
    await sleep(POLL_MS);
  }
}
