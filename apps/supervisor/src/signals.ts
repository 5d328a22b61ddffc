import type { Say } from './say';

/**
 * Two signals closer than this count as one: Ctrl-C reaches the whole group of a terminal, so npm
 * gets it as well and passes it on.
 */
const SAME_REQUEST_MS = 1_000;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface StopRequests {
  /** Aborted by the first signal, or when nobody reads the output any more: stop in order. */
  stop: AbortSignal;
  /** Aborted by a later signal: stop at once. */
  force: AbortSignal;
}

/** Turns signals of this process, and a closed output, into requests to stop. */
export function listenForSignals(say: Say): StopRequests {
  const stop = new AbortController();
  const force = new AbortController();
  let firstAt = 0;

  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        firstAt = Date.now();
        say(`${signal}: stopping (repeat to stop without waiting)`);
        stop.abort();
      } else if (Date.now() - firstAt > SAME_REQUEST_MS && !force.signal.aborted) {
        say(`${signal}: stopping without waiting`);
        force.abort();
      }
    });
  }
  // `npm start | head`: without a listener the error would end us before the database is stopped.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => stop.abort());
  return { stop: stop.signal, force: force.signal };
}
