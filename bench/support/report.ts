import { ROWS, rowOf, type RowName } from '../rows';
import type { Machine } from './machine';
import { keeps, type Finding, type PhaseResult } from './world';

/** Width of the first column on the terminal. */
const WIDTH = 46;
const ROW_WIDTH = 90;

/** What was not measured, and why. */
export type Skipped = Partial<Record<RowName, string>>;

/** The findings and the rows as lines for a terminal. */
export function textOf(phases: PhaseResult[], skipped: Skipped): string {
  const details = phases.flatMap(({ phase, findings }) => [
    `\n${phase}`,
    ...findings
      .filter(({ row }) => row === undefined)
      .map((one) => {
        const value = `${numberText(one.value)} ${one.unit}`.padStart(14);
        return `  ${one.what.padEnd(WIDTH)} ${value}  ${verdictOf(one)}`.trimEnd();
      }),
  ]);
  const rows = tableOf(phases, skipped).map(
    ({ what, value, target, verdict }) =>
      `  ${what.padEnd(ROW_WIDTH)} ${value.padStart(10)}  ${target.padEnd(7)} ${verdict}`,
  );
  return [...details, '\nthe table', ...rows, ...whysOf(phases)].join('\n');
}

/** The same as a page for the repository. */
export function markdownOf(
  machine: Machine,
  {
    phases,
    skipped,
    plot,
    command,
  }: { phases: PhaseResult[]; skipped: Skipped; plot: string; command: string },
): string {
  const rows = tableOf(phases, skipped).map(
    ({ what, value, target, verdict }) => `| ${what} | ${value} | ${target} | ${verdict} |`,
  );
  const details = phases.map(
    ({ phase, findings }) =>
      `## ${phase}\n\n| what | value | target |\n| --- | ---: | --- |\n${findings
        .filter(({ row }) => row === undefined)
        .map((one) => `| ${one.what} | ${numberText(one.value)} ${one.unit} | ${verdictOf(one)} |`)
        .join('\n')}\n`,
  );
  const whys = whysOf(phases);
  const { date, cpu, cores, memoryGb, node, postgres, pgbench, nginx, redis } = machine;
  return `# One run

\`${command}\`, ${date.slice(0, 10)}, ${cores} × ${cpu}, ${memoryGb} GB; Node ${node}, ${postgres}, ${pgbench},
${nginx}, ${redis}; load before the run ${machine.loadBefore}${machine.busy ? ' (**others were at work**)' : ''}.

Load, services, Postgres and what they are compared with share these cores: only the ratios say
something about another machine.

| work | value | target | verdict |
| --- | ---: | --- | --- |
${rows.join('\n')}

${whys.length === 0 ? '' : `${whys.join('\n')}\n\n`}![The ratios and their targets](${plot})

${details.join('\n')}`;
}

/** Each row in its order, measured or not. */
function tableOf(phases: PhaseResult[], skipped: Skipped) {
  const findings = phases.flatMap((phase) => phase.findings);
  return (Object.keys(ROWS) as RowName[]).map((name) => {
    const { what, target } = rowOf(name);
    const finding = findings.find(({ row }) => row === name);
    if (finding === undefined || Number.isNaN(finding.value)) {
      const verdict = `not measured: ${skipped[name] ?? 'left out of this run'}`;
      return { what, value: '', target: targetText(target), verdict };
    }
    const verdict = { true: 'met', false: '**missed**', undefined: 'followed' }[
      String(keeps(finding)) as 'true' | 'false' | 'undefined'
    ];
    const value = `${numberText(finding.value)} ${finding.unit}`.trim();
    return { what, value, target: targetText(target), verdict };
  });
}

/** Why rows miss their targets, and what was tried. */
function whysOf(phases: PhaseResult[]): string[] {
  return phases
    .flatMap(({ findings }) => findings)
    .filter((one) => one.row !== undefined && keeps(one) === false)
    .map(({ row, what }) => {
      const why = row === undefined ? undefined : rowOf(row).finding;
      return `- **Missed: ${what}.** ${why ?? 'The reason is not known yet.'}`;
    });
}

function verdictOf(finding: Finding): string {
  if (finding.target === undefined) return '';
  return `${targetText(finding.target)} ${keeps(finding) === true ? '✓' : '✗'}`;
}

function targetText(target: Finding['target']): string {
  if (target === undefined) return '';
  return 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`;
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}
