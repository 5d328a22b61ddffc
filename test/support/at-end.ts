const ends: (() => Promise<void>)[] = [];

/** What a global set-up started ends after the last test, and when the run is interrupted. */
export function atEnd(end: () => Promise<void>): void {
  if (ends.length === 0) process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  ends.push(end);
}

/** Ends the last that was started first. */
export async function endAll(): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}

function interrupt(): void {
  void endAll().finally(() => process.exit(1));
}
