const ends: (() => Promise<void>)[] = [];

/** What a global set-up started ends after the last test, and when the run is interrupted. */
export function atEnd(end: () => Promise<void>): void {
  if (ends.length === 0) {
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    // The reader of the output has ended, as in `npm test | head`.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', interrupt);
  }
  ends.push(end);
}

/** Ends the last that was started first. */
export async function endAll(): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}

let isInterrupted = false;

function interrupt(): void {
  if (isInterrupted) return;
  isInterrupted = true;
  void endAll().finally(() => process.exit(1));
}
