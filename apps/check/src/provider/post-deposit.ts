import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than the API takes on a busy day. */
const TIMEOUT_MS = 30_000;
/** How often a request is repeated that met the rate limit. */
const MAX_REPEATS = 30;
const DEFAULT_PAUSE_SECONDS = 1;

/** A notice of a deposit, as the API takes it. */
export interface Deposit {
  idFactura: string;
  numeroReferencia: string;
  valor: number;
  fechaPago: string;
  claveDePago: string;
}

export interface Posted {
  status: number;
  text: string;
  retryAfter: string | null;
  /** RateLimit-Limit; undefined if the system has no limit. */
  rateLimit: string | undefined;
}

export interface Provider {
  baseUrl: string;
  key: string;
  name: string;
  /** With it each request has a `Fiado-Signature`. */
  signingSecret?: string | undefined;
}

/** Posts a notice; again if the rate limit refused it, as a provider must. */
export async function postDeposit(provider: Provider, deposit: Deposit | string): Promise<Posted> {
  for (let repeats = 0; ; repeats += 1) {
    const posted = await postOnce(provider, deposit);
    if (posted.status !== 429 || repeats === MAX_REPEATS) return posted;
    await pause(Number(posted.retryAfter ?? DEFAULT_PAUSE_SECONDS) * 1_000);
  }
}

/** Posts a notice, or a body as it is, once. */
export async function postOnce(provider: Provider, deposit: Deposit | string): Promise<Posted> {
  const body = bodyOf(deposit);
  const response = await fetch(urlOf(provider), {
    method: 'POST',
    headers: headersWith(provider, body),
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    retryAfter: response.headers.get('retry-after'),
    rateLimit: response.headers.get('ratelimit-limit') ?? undefined,
  };
}

/** Sends a notice and closes the connection before the answer. */
export async function postAndCut(provider: Provider, deposit: Deposit): Promise<void> {
  const url = urlOf(provider);
  const body = bodyOf(deposit);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  await new Promise<void>((done) => {
    const sending = request(url, { method: 'POST', headers: headersWith(provider, body) });
    sending.on('error', () => done());
    sending.on('close', () => done());
    sending.on('finish', () => sending.destroy());
    sending.end(body);
  });
}

function bodyOf(deposit: Deposit | string): string {
  return typeof deposit === 'string' ? deposit : JSON.stringify(deposit);
}

function urlOf({ baseUrl, name }: Provider): URL {
  const url = new URL(`${baseUrl}/v1/customer-transaction/payment/deposit`);
  url.searchParams.set('paymentProviderName', name);
  return url;
}

function headersWith({ key, signingSecret }: Provider, body: string): { [name: string]: string } {
  return {
    'content-type': 'application/json',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(signingSecret !== undefined && { 'fiado-signature': signatureOf(signingSecret, body) }),
  };
}

/** A `Fiado-Signature` of now. @param body as it is sent; empty for a GET */
export function signatureOf(signingSecret: string, body: string): string {
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', signingSecret).update(`${time}.${body}`).digest('hex');
  return `t=${time},v1=${signature}`;
}
