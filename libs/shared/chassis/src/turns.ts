/**
 * Longest rest, in milliseconds, so that a process that was suspended does not rest as long as it
 * was.
 */
const MAX_REST_MS = 100;

/** Callers with work to do, the next one first; of each, its pieces of work in their order. */
const waiting = new Map<string, Array<() => void>>();
let isScheduled = false;

/**
 * Resolves when it is this caller's turn for one piece of work, some milliseconds at most. Callers
 * take turns. After a piece, the process does other work for as long as that piece took, so this
 * work takes at most half of the event loop. A caller with much work slows down its own, and delays
 * another caller by one piece for each of its steps.
 */
export function nextTurn(caller: string): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(caller);
    if (own === undefined) waiting.set(caller, [resolve]);
    else own.push(resolve);
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  const [next] = waiting;
  if (next === undefined) {
    isScheduled = false;
    return;
  }
  const [caller, [resolve, ...rest]] = next;
  waiting.delete(caller);
  if (rest.length > 0) waiting.set(caller, rest);
  const startedAt = performance.now();
  // The piece itself runs right after this function, before anything else.
  resolve?.();
  setImmediate(() => {
    setTimeout(giveTurn, Math.min(performance.now() - startedAt, MAX_REST_MS));
  });
}
