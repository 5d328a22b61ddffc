/** A call of the other wholesaler. */
export interface Call {
  operation: string;
  /** Its status with an error code, or why there was no answer. */
  outcome: string;
  ms: number;
}

/** The requests of the neighbour during an attack, with their durations. */
export interface Phase {
  calls: Call[];
  /** Of each service, and of these tests with all clients in them. */
  cpuSeconds: Map<string, number>;
}

/** The neighbour alone, beside harmless requests, and under attack. */
export interface Phases {
  quiet: Phase;
  harmless: Phase;
  attacked: Phase;
}

/** Prints, for each operation, how long its calls took in each phase, and what CPU was used. */
export function printPercentiles(attack: string, phases: Phases): void {
  const all = [phases.quiet, phases.harmless, phases.attacked];
  const operations = [...new Set(phases.attacked.calls.map(({ operation }) => operation))];
  const lines = operations.toSorted().map((operation) => {
    const times = all.map(({ calls }) => timesOf(calls, operation));
    const inTurn = (part: number) => times.map((of) => percentile(of, part));
    const shown = (part: number) =>
      `${inTurn(part)
        .map((ms) => ms.toFixed(1))
        .join(' -> ')} ms`;
    const [quiet = Number.NaN, harmless = Number.NaN, attacked = Number.NaN] = inTurn(0.99);
    const ratios = `${(attacked / quiet).toFixed(1)} and ${(attacked / harmless).toFixed(1)} times`;
    return `  ${operation.padEnd(20)} p50 ${shown(0.5)}, p99 ${shown(0.99)} (${ratios}), ${times[2]?.length} calls\n`;
  });
  const cpu = [...phases.attacked.cpuSeconds.keys()].map((name) => {
    const seconds = all.map((phase) => phase.cpuSeconds.get(name)?.toFixed(1));
    return `${name} ${seconds.join(' -> ')}`;
  });
  process.stdout.write(
    `\nNeighbour, quiet -> beside harmless requests -> beside ${attack}\n${lines.join('')}` +
      `  CPU seconds: ${cpu.join(', ')}\n`,
  );
}

function timesOf(calls: Call[], operation: string): number[] {
  return calls
    .filter((call) => call.operation === operation)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
}

/** @param sorted ascending @param part such as 0.99 */
function percentile(sorted: number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
