import { Agent, ClientRequest } from 'node:http';
import type { RequestClient, Twilio } from 'twilio';
import { ConnectingSockets } from './connecting-sockets';
import { SmsError, type OutgoingSms, type SmsProvider } from './sms-provider';

/** Longest wait for Twilio's answer. After it, the outcome is unknown. */
const TIMEOUT_MS = 10_000;

/** Seconds that Twilio takes as ValidityPeriod. */
const MIN_VALIDITY_SECONDS = 1;
const MAX_VALIDITY_SECONDS = 36_000;

export interface TwilioOptions {
  accountSid: string;
  authToken: string;
  sender: { from: string } | { messagingServiceSid: string };
  /** Another origin in place of https://api.twilio.com. */
  apiBaseUrl?: string | undefined;
  /** Where Twilio reports the outcome of a message; without it, it does not. */
  callbackBaseUrl?: string | undefined;
  timeoutMs?: number;
}

/** Sends by Twilio's own SDK, which is loaded only when this is called. */
export function createTwilioSms(options: TwilioOptions): SmsProvider {
  const loading = loadClient(options);
  return {
    name: 'twilio',
    send: async (sms) => {
      const client = await loading;
      try {
        const { sid } = await client.messages.create(requestOf(sms, options));
        if (typeof sid !== 'string') throw new SmsError({ kind: 'no-answer' });
        return { sid };
      } catch (error) {
        // Otherwise the answer does not parse. The error quotes it, phone included, so it is
        // dropped.
        throw error instanceof SmsError ? error : new SmsError({ kind: 'no-answer' });
      }
    },
  };
}

function requestOf(
  { messageId, to, text, validSeconds }: OutgoingSms,
  { sender, callbackBaseUrl }: TwilioOptions,
) {
  const validityPeriod = Math.min(
    Math.max(Math.floor(validSeconds), MIN_VALIDITY_SECONDS),
    MAX_VALIDITY_SECONDS,
  );
  return {
    to,
    body: text,
    validityPeriod,
    ...sender,
    ...(callbackBaseUrl === undefined
      ? {}
      : { statusCallback: new URL(`/v1/callbacks/twilio/${messageId}`, callbackBaseUrl).href }),
  };
}

async function loadClient(options: TwilioOptions): Promise<Twilio> {
  const { accountSid, authToken, apiBaseUrl, timeoutMs = TIMEOUT_MS } = options;
  const { default: twilio } = await import('twilio');
  const httpClient = new twilio.RequestClient({
    timeout: timeoutMs,
    autoRetry: false,
    // No keep-alive: a kept connection may close during a request, which would make its outcome
    // unknown.
    keepAlive: false,
  });
  translateErrors(httpClient);

  // With another origin, the SDK must not add an edge or region from the environment.
  const place = apiBaseUrl === undefined ? {} : { edge: '', region: '' };
  const client = twilio(accountSid, authToken, { httpClient, ...place });
  if (apiBaseUrl !== undefined) client.api.baseUrl = apiBaseUrl;
  return client;
}

/**
 * Converts the SDK's failures to ours. It wraps the SDK's HTTP client, because the SDK's own
 * exception has no headers (Retry-After) and its message quotes the phone.
 */
function translateErrors({ axios }: RequestClient): void {
  const sockets = new ConnectingSockets();
  axios.defaults.httpAgent = new Agent({ keepAlive: false });
  sockets.watch(axios.defaults.httpAgent);
  // With HTTP_PROXY, the SDK uses an agent that connects in another way.
  if (axios.defaults.httpsAgent instanceof Agent) sockets.watch(axios.defaults.httpsAgent);

  axios.interceptors.response.use(
    (response) => {
      if (response.status >= 200 && response.status < 300) return response;
      throw new SmsError({
        kind: 'answered',
        httpStatus: response.status,
        ...providerCodeOf(response.data),
        ...retryAfterOf(response.headers['retry-after']),
      });
    },
    (error: { request?: unknown; response?: unknown }) => {
      const unwritten =
        error.response === undefined &&
        error.request instanceof ClientRequest &&
        sockets.isUnwritten(error.request);
      throw new SmsError({ kind: unwritten ? 'not-reached' : 'no-answer' });
    },
  );
}

function providerCodeOf(data: unknown): { providerCode?: string } {
  const code = typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined;
  return Number.isSafeInteger(code) ? { providerCode: String(code) } : {};
}

/** Retry-After is a number of seconds or a date. */
function retryAfterOf(header: unknown): { retryAfterSeconds?: number } {
  const text = String(header);
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return seconds > 0 ? { retryAfterSeconds: seconds } : {};
}
