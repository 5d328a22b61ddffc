/**
 * The value of one sample in Prometheus' text format, such as `fiado_ready` or
 * `fiado_jobs_total{queue="payments",type="a",outcome="done"}`.
 * @throws Error when it is not there: what is told from the start must not be missing
 */
export function sampleIn(text: string, sample: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  if (line === undefined) throw new Error(`There is no sample ${sample}`);
  return Number(line.slice(sample.length + 1));
}
