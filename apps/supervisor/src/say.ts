/** An error that ends the start, with a message for the person who started it. */
export class StartupError extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
    this.name = 'StartupError';
  }
}

/** Prints one line for a person. */
export type Say = (line: string) => void;

/** Prints a line on stdout. */
export const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};

/** The text of an error for a person. */
export function messageOf(error: unknown): string {
  // A failed connection to a name with two addresses has a message in its parts only.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
