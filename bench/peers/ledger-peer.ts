import { until } from '@fiado/chassis/testing/until';
import type { Child } from '../support/child';
import type { Sent } from '../support/load';

/** Cents of each hold. All are alike, so that the balances say how many were made. */
export const HOLD_CENTS = 15_000;
export const CURRENCY = 'MXN';
/** A program that others wrote is first of all slow to migrate. */
export const START_DEADLINE_MS = 60_000;
const CALL_DEADLINE_MS = 30_000;
const CALLS_AT_ONCE = 8;

/** A ledger that others wrote, with an account for each corner store of the market. */
export interface LedgerPeer {
  name: string;
  url: string;
  /** Of each request. */
  headers: Record<string, string>;
  /** Of its server. */
  pid: number;
  /** The nth hold, on the account of the next store. */
  order: (n: number) => Sent;
  /** Cents that are held on the accounts of all stores, by its own balances. */
  heldCents: () => Promise<number>;
}

/** Calls a peer. @throws Error on anything but a success */
export async function callPeer<Answer>(
  { url, headers }: Pick<LedgerPeer, 'url' | 'headers'>,
  { method, path, body }: Sent,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(CALL_DEADLINE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Does something for each item, some at a time. @returns the result of each, in their order */
export async function forEachOf<Item, Made>(
  items: Item[],
  make: (item: Item, at: number) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of waiting) made[at] = await make(item, at);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  return made;
}

/** Waits until a server answers at a path. @throws Error with the end of its log when it does not */
export async function untilAnswers(child: Child, name: string, url: string): Promise<void> {
  const answers = async (): Promise<boolean> => {
    if (!child.running) throw new Error(`${name} ended: ${child.tail()}`);
    return fetch(url, { signal: AbortSignal.timeout(CALL_DEADLINE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await until(`${name} answers`, answers, START_DEADLINE_MS);
}
