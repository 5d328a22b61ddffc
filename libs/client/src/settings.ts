import type { OperationId } from './types';

/** An attempt may take this long; twice what the slowest operation takes on a busy system. */
const DEFAULT_TIMEOUT_MS = 10_000;
/** A call with all its attempts and pauses may take this long. */
const DEFAULT_DEADLINE_MS = 60_000;
const DEFAULT_MAX_RETRIES = 2;
/** `npm start` listens there. */
const SANDBOX_URL = 'http://127.0.0.1:3000';
const LIVE_PREFIX = 'fiado_live_';

/** The part of an AbortSignal that is used; the one of every runtime fits. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  redirect: 'manual';
  signal: never;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** An attempt of a call that has ended. */
export interface Attempt {
  operation: OperationId | (string & {});
  /** 1 for the first. */
  number: number;
  /** HTTP status; undefined if no answer came. */
  status: number | undefined;
  requestId: string | undefined;
  durationMs: number;
  /** Pause before the next attempt; undefined after the last. */
  retryInMs: number | undefined;
}

export interface FiadoOptions {
  /** `fiado_test_…` or `fiado_live_…`, or an access token. */
  apiKey: string;
  /** Address of the API, with or without `/v1`. By default the sandbox of `npm start`. */
  baseUrl?: string | undefined;
  /** Time for one attempt. Default 10,000. */
  timeoutMs?: number | undefined;
  /** Time for a call with all its attempts. Default 60,000. */
  deadlineMs?: number | undefined;
  /** Attempts after the first. Default 2; 0 switches retries off. */
  maxRetries?: number | undefined;
  /** Exchange the key for access tokens, so that the key is sent once an hour only. */
  tokens?: boolean | undefined;
  /** In place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Called after each attempt, for logs and metrics. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** Options of one call. */
export interface RequestOptions {
  /** Makes the request take effect once. By default a new one for each call. */
  idempotencyKey?: string | undefined;
  /** Sent as X-Request-Id. By default the API chooses one. */
  requestId?: string | undefined;
  timeoutMs?: number | undefined;
  deadlineMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Ends the call. */
  signal?: Signal | undefined;
}

export interface Settings {
  baseUrl: string;
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
  fetch: Fetch;
  onAttempt: ((attempt: Attempt) => void) | undefined;
}

/** @throws TypeError for options that cannot work; it does not contain the key */
export function settingsOf(options: FiadoOptions): Settings {
  const { apiKey, baseUrl } = options;
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a key of Fiado, without spaces and line breaks');
  }
  const isLive = apiKey.startsWith(LIVE_PREFIX);
  if (isLive && 'document' in globalThis) {
    throw new TypeError('A fiado_live_ key must stay on your server; use an access token here');
  }
  if (isLive && baseUrl === undefined)
    throw new TypeError('baseUrl is needed with a fiado_live_ key');
  return {
    baseUrl: originOf(baseUrl ?? SANDBOX_URL),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    deadlineMs: options.deadlineMs ?? DEFAULT_DEADLINE_MS,
    maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
    // A wrapper, as browsers refuse a `fetch` that is called as a method.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    onAttempt: options.onAttempt,
  };
}

function originOf(baseUrl: string): string {
  if (!/^https?:\/\/[^@?#]+$/.test(baseUrl)) {
    throw new TypeError('baseUrl must look like https://api.example.com');
  }
  return baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
}
