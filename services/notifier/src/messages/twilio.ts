import { Agent, ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestClient, Twilio } from 'twilio';
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
    keepAlive: true,
    maxSockets: MAX_CALLS,
    maxFreeSockets: MAX_CALLS,
  });
  watchConnections(httpClient);

  // With another origin, the SDK must not add an edge or region from the environment.
  const place = apiBaseUrl === undefined ? {} : { edge: '', region: '' };
  const client = twilio(accountSid, authToken, { httpClient, ...place });
  if (apiBaseUrl !== undefined) client.api.baseUrl = apiBaseUrl;
  return client;
}

/** Keeps connections for a moment, and converts the failures of requests on them to ours. */
function watchConnections({ axios }: RequestClient): void {
  const sockets = new ConnectingSockets();
  axios.defaults.httpAgent = new Agent({ keepAlive: true, maxFreeSockets: MAX_CALLS });
  // With HTTP_PROXY, the SDK uses an agent that connects in another way, and keeps no connection.
  for (const agent of [axios.defaults.httpAgent, axios.defaults.httpsAgent]) {
    if (!(agent instanceof Agent)) continue;
    sockets.watch(agent);
    keepBriefly(agent);
  }
  translateErrors(axios, sockets);
}

function keepBriefly(agent: Agent): void {
  // It returns whether the connection may be kept; its type does not say so.
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => boolean;
  agent.keepSocketAlive = (socket) => {
    const isKept = keep(socket);
    // The agent closes a kept connection at its time-out. The next request sets its own.
    if (isKept && socket instanceof Socket) socket.setTimeout(KEEP_CONNECTION_MS);
    return isKept;
  };
}

/**
 * Tracks connections that are not established yet. Node writes no byte of a request before the
 * connection is established (with TLS, before the handshake is done), so a request that failed on
 * such a connection was certainly not sent. Error codes are ambiguous: ETIMEDOUT and ECONNRESET
 * occur before and after that.
 */
class ConnectingSockets {
  private readonly connecting = new WeakSet<Duplex>();

  /** Watches all connections that this agent makes from now on. */
  watch(agent: Agent): void {
    const ready = agent instanceof HttpsAgent ? 'secureConnect' : 'connect';
    const create = agent.createConnection.bind(agent);
    agent.createConnection = (...args: Parameters<Agent['createConnection']>) => {
      const socket = create(...args);
      if (socket) {
        this.connecting.add(socket);
        socket.once(ready, () => this.connecting.delete(socket));
      }
      return socket;
    };
  }

  /** Whether certainly nothing of the request was written. */
  isUnwritten({ socket }: ClientRequest): boolean {
    return socket === null || this.connecting.has(socket);
  }
}

/**
 * Converts the SDK's failures to ours. It wraps the SDK's HTTP client, because the SDK's own
 * exception has no headers (Retry-After) and its message quotes the phone.
 */
function translateErrors(axios: RequestClient['axios'], sockets: ConnectingSockets): void {
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

/** Whether a form that was posted to this path (query included) is Twilio's own. */
export type SignatureCheck = (
  path: string,
  signature: string | undefined,
  form: Record<string, unknown>,
) => Promise<boolean>;

/**
 * Checks X-Twilio-Signature: an HMAC by our token over the URL that Twilio was given and the form.
 * @param publicUrl the base of that URL, which is not the one that this process sees
 */
export function createTwilioSignatureCheck(authToken: string, publicUrl: string): SignatureCheck {
  const { origin } = new URL(publicUrl);
  const loading = import('twilio');
  return async (path, signature, form) => {
    if (signature === undefined) return false;
    const { default: twilio } = await loading;
    try {
      return twilio.validateRequest(authToken, signature, `${origin}${path}`, form);
    } catch {
      // The SDK parses the URL, and a path may be none.
      return false;
    }
  };
}
