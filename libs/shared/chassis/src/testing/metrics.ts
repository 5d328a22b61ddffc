/**
 * The value of one sample in Prometheus' text format, such as `fiado_ready` or
 * `fiado_jobs_total{queue="payments",type="a",outcome="done"}`.
 * @throws Error if it is missing: known label values are exported from the start
 */
export function sampleIn(text: string, sample: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  if (line === undefined) throw new Error(`There is no sample ${sample}`);
  return Number(line.slice(sample.length + 1));
}

/**
 * By how much each counter grows while `work` is done. Test files share a process, and with it its
 * counters.
 */
export async function increasesOf(
  counters: () => Promise<number[]>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = await counters();
  await work();
  const after = await counters();
  return after.map((value, index) => value - (before[index] ?? 0));
}
