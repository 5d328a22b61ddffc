/** Prints one line for a person. */
export type Say = (line: string) => void;

/** Prints a line on stdout. */
export const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};
