import type { RequestClient, Twilio } from 'twilio';
import { Agent, buildConnector, EnvHttpProxyAgent, type Dispatcher } from '@fiado/chassis/undici';
import { connectOnce, proxyWithin } from '../connect-once';
import { sendOnce, type Answer } from './send-once';
import { MAX_CALLS, SmsError, type OutgoingSms, type SmsProvider } from './sms-provider';

/** Longest wait for Twilio's answer. After it, the outcome is unknown. */
const TIMEOUT_MS = 10_000;

/**
 * How long an unused connection is kept. A connection that the other side closes just when a request
 * is written makes the outcome of that SMS unknown; no server closes one so soon. Under load
 * connections are in use again within this time, and save a TLS handshake for each SMS.
 */
const KEEP_CONNECTION_MS = 1_000;
/** Seconds that Twilio takes as ValidityPeriod. */
const MIN_VALIDITY_SECONDS = 1;
const MAX_VALIDITY_SECONDS = 36_000;
const HTTP_NOT_FOUND = 404;

export interface TwilioOptions {
  accountSid: string;
  authToken: string;
  sender: Sender;
  /** Of WhatsApp; unset where it is not used. */
  whatsappSender?: Sender | undefined;
  /** Another origin in place of https://api.twilio.com. */
  apiBaseUrl?: string | undefined;
  /** Where Twilio reports the outcome of a message. Without it, Twilio reports none. */
  callbackBaseUrl?: string | undefined;
  timeoutMs?: number;
}

type Sender = { from: string } | { messagingServiceSid: string };

/** Sends by Twilio's own SDK, which is loaded only when this is called. */
export function createTwilioSms(options: TwilioOptions): SmsProvider {
  const loading = loadClient(options);
  return {
    name: 'twilio',
    reports: options.callbackBaseUrl !== undefined,
    send: async (sms) => {
      const client = await loading;
      try {
        const { sid } = await client.messages.create(requestOf(sms, options));
        if (typeof sid !== 'string') throw new SmsError({ kind: 'no-answer' });
        return { sid };
      } catch (error) {
        // Any other error means that the answer does not parse. It quotes the answer, phone included, so it is
        // dropped.
        throw error instanceof SmsError ? error : new SmsError({ kind: 'no-answer' });
      }
    },
    deleteCopy: async (sid) => {
      const client = await loading;
      try {
        await client.messages(sid).remove();
      } catch (error) {
        const failure = error instanceof SmsError ? error.failure : { kind: 'no-answer' as const };
        if (failure.kind === 'answered' && failure.httpStatus === HTTP_NOT_FOUND) return;
        throw new SmsError(failure);
      }
    },
  };
}

function requestOf(
  { messageId, to, text, validSeconds, whatsapp }: OutgoingSms,
  { sender, whatsappSender, callbackBaseUrl }: TwilioOptions,
) {
  const validityPeriod = Math.min(
    Math.max(Math.floor(validSeconds), MIN_VALIDITY_SECONDS),
    MAX_VALIDITY_SECONDS,
  );
  return {
    ...(whatsapp === undefined
      ? { to, body: text, ...sender }
      : // Without a body: Twilio writes it from the template.
        {
          to: `whatsapp:${to}`,
          ...whatsappSender,
          contentSid: whatsapp.contentSid,
          contentVariables: JSON.stringify(numbered(whatsapp.variables)),
        }),
    validityPeriod,
    ...(callbackBaseUrl === undefined
      ? {}
      : { statusCallback: new URL(`/v1/callbacks/twilio/${messageId}`, callbackBaseUrl).href }),
  };
}

/** From 1, as templates number their variables. */
function numbered(variables: string[]): Record<string, string> {
  return Object.fromEntries(variables.map((value, at) => [String(at + 1), value]));
}

async function loadClient(options: TwilioOptions): Promise<Twilio> {
  const { accountSid, authToken, apiBaseUrl, timeoutMs = TIMEOUT_MS } = options;
  const { default: twilio } = await import('twilio');
  const connections = connectionsOf(apiBaseUrl, timeoutMs);
  const httpClient = { request: (call: SdkRequest) => request(connections, call, timeoutMs) };

  // With another origin, the SDK must not add an edge or region from the environment.
  const place = apiBaseUrl === undefined ? {} : { edge: '', region: '' };
  const client = twilio(accountSid, authToken, {
    // The SDK calls nothing else of it.
    httpClient: httpClient as unknown as RequestClient,
    ...place,
  });
  if (apiBaseUrl !== undefined) client.api.baseUrl = apiBaseUrl;
  return client;
}

/**
 * Connections that carry one request at a time. Those to Twilio go through the proxy that HTTPS_PROXY or HTTP_PROXY
 * names, unless NO_PROXY excludes the host; another origin with http is called directly.
 * @throws Error if a proxy is no URL
 */
function connectionsOf(apiBaseUrl: string | undefined, timeoutMs: number): Dispatcher {
  const options = {
    factory: connectOnce,
    connections: MAX_CALLS,
    pipelining: 1,
    keepAliveTimeout: KEEP_CONNECTION_MS,
    keepAliveMaxTimeout: KEEP_CONNECTION_MS,
    // The time of the whole call is limited instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    // One for all connections, because it remembers TLS sessions.
    connect: buildConnector({ timeout: timeoutMs }),
  };
  if (apiBaseUrl?.startsWith('http:')) return new Agent(options);
  try {
    return new EnvHttpProxyAgent({ ...options, clientFactory: proxyWithin(timeoutMs) });
  } catch {
    // undici's error names no variable, and may quote the password of the proxy.
    throw new Error('HTTPS_PROXY and HTTP_PROXY must be URLs that begin with http:// or https://');
  }
}

type SdkRequest = Parameters<RequestClient['request']>[0];

/**
 * Makes the SDK's requests in place of its own HTTP client, which takes five times the CPU time and cannot
 * tell whether a request was written. Failures are converted here, because the SDK's exception has no headers
 * (Retry-After), and its message quotes the phone. None of our calls has a query.
 * @throws SmsError, also for an answer other than 2xx
 */
async function request(
  connections: Dispatcher,
  { method, uri, username, password, headers, data }: SdkRequest,
  timeoutMs: number,
): Promise<Answer> {
  const { origin, pathname } = new URL(uri);
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const answer = await sendOnce(
    connections,
    {
      origin,
      path: pathname,
      method: method.toUpperCase(),
      headers: { ...headers, authorization: `Basic ${credentials}` },
      body:
        data === undefined ? null : new URLSearchParams(data as Record<string, string>).toString(),
    },
    timeoutMs,
  );
  if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
  throw new SmsError({
    kind: 'answered',
    httpStatus: answer.statusCode,
    ...providerCodeOf(answer.body),
    ...retryAfterOf(answer.headers['retry-after']),
  });
}

function providerCodeOf(body: string): { providerCode?: string } {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return Number.isSafeInteger(code) ? { providerCode: String(code) } : {};
  } catch {
    return {};
  }
}

/** Retry-After is a number of seconds or a date. */
function retryAfterOf(header: unknown): { retryAfterSeconds?: number } {
  const text = String(header);
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return seconds > 0 ? { retryAfterSeconds: seconds } : {};
}

/** Whether a form that was posted to this path (query included) is Twilio's own. */
export type SignatureCheck = (
  path: string,
  signature: string | undefined,
  form: Record<string, unknown>,
) => Promise<boolean>;

/**
 * Checks X-Twilio-Signature: an HMAC by our token over the URL that Twilio was given and the form.
 * @param authTokens any of them may have signed: there are two while a token is replaced
 * @param publicUrl the base of that URL, which is not the one that this process sees
 */
export function createTwilioSignatureCheck(
  authTokens: string[],
  publicUrl: string,
): SignatureCheck {
  const { origin } = new URL(publicUrl);
  const loading = import('twilio');
  return async (path, signature, form) => {
    if (signature === undefined) return false;
    const { default: twilio } = await loading;
    try {
      return authTokens.some((token) =>
        twilio.validateRequest(token, signature, `${origin}${path}`, form),
      );
    } catch {
      // The SDK parses the URL, and a path may be none.
      return false;
    }
  };
}
