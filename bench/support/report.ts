import type { Machine } from './machine';
import { keeps, type Finding, type PhaseResult } from './world';

/** Width of the first column on the terminal. */
const WIDTH = 46;

/** The findings as lines for a terminal. */
export function textOf(phases: PhaseResult[]): string {
  return phases
    .flatMap(({ phase, findings }) => [
      `\n${phase}`,
      ...findings.map((one) => {
        const value = `${numberText(one.value)} ${one.unit}`.padStart(14);
        return `  ${one.what.padEnd(WIDTH)} ${value}  ${verdictOf(one)}`.trimEnd();
      }),
    ])
    .join('\n');
}

/** The same as a page for the repository. */
export function markdownOf(machine: Machine, phases: PhaseResult[], plot: string): string {
  const tables = phases.map(
    ({ phase, findings }) =>
      `## ${phase}\n\n| what | value | target |\n| --- | ---: | --- |\n${findings
        .map((one) => `| ${one.what} | ${numberText(one.value)} ${one.unit} | ${verdictOf(one)} |`)
        .join('\n')}\n`,
  );
  const { date, cpu, cores, memoryGb, node, postgres, pgbench, nginx, redis } = machine;
  return `# One run

${date.slice(0, 10)}, ${cores} × ${cpu}, ${memoryGb} GB; Node ${node}, ${postgres}, ${pgbench}, ${nginx},
${redis}; load before the run ${machine.loadBefore}${machine.busy ? ' (**others were at work**)' : ''}.

Load, services, Postgres and what they are compared with share these cores: only the ratios say
something about another machine.

![The ratios and their targets](${plot})

${tables.join('\n')}`;
}

function verdictOf(finding: Finding): string {
  const { target } = finding;
  if (target === undefined) return '';
  const wanted = 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`;
  return `${wanted} ${keeps(finding) === true ? '✓' : '✗'}`;
}

function numberText(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}
