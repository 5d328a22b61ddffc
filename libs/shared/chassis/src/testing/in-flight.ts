/** Enough to make requests meet at one row, few enough for each to be answered on a busy machine. */
const IN_FLIGHT = 8;

/** Runs all tasks in their order, eight at a time by default. @returns their results in the same order */
export async function inFlight<T>(
  tasks: ReadonlyArray<() => Promise<T>>,
  atOnce = IN_FLIGHT,
): Promise<T[]> {
  const results: T[] = [];
  const waiting = tasks.entries();
  const runRest = async (): Promise<void> => {
    for (const [index, task] of waiting) results[index] = await task();
  };
  await Promise.all(Array.from({ length: atOnce }, runRest));
  return results;
}

/** The same tasks, taken in turn from each list. */
export function interleaved<T>(...lists: T[][]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}
