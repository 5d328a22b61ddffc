import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { HELP, readOptions, type Options, type PhaseName } from './options';
import { runBench } from './run-bench';
import { Cleanup } from './support/cleanup';
import { BUSY_LOAD, describeMachine, type Machine } from './support/machine';
import { isInstalled } from './support/programs';
import { markdownOf, textOf, type Skipped } from './support/report';
import { ROWS_OF_PHASE, type RowName } from './rows';
import { keeps, type PhaseResult, type Finding } from './support/world';

const ROW = 26;
const LABEL = 330;
const BAR = 420;
const MARGIN = 16;
const GOOD = '#2f855a';
const BAD = '#c53030';

/**
 * Every finding that has a target, as a bar against it: the line is the target, and shorter is
 * better (for what must be at least so much, the target in its value is drawn).
 */
function plotOf(findings: Finding[]): string {
  const bars = findings.filter(({ target }) => target !== undefined);
  const height = MARGIN * 3 + bars.length * ROW;
  const width = LABEL + BAR + MARGIN * 6;
  const line = LABEL + BAR / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="${line}" y="${MARGIN}" text-anchor="middle" fill="#444444">the target (shorter is better)</text>
${bars.map((finding, at) => barOf(finding, MARGIN * 2 + at * ROW)).join('\n')}
<line x1="${line}" x2="${line}" y1="${MARGIN + 6}" y2="${height - MARGIN}" stroke="#444444" stroke-dasharray="4 3"/>
</svg>
`;
}

function barOf(finding: Finding, y: number): string {
  const length = Math.min(BAR, (shareOf(finding) * BAR) / 2);
  const colour = keeps(finding) === true ? GOOD : BAD;
  const value = `${finding.value.toFixed(finding.value < 10 ? 2 : 0)} ${finding.unit}`;
  return `<text x="${LABEL - 8}" y="${y + 16}" text-anchor="end">${escaped(finding.what)}</text>
<rect x="${LABEL}" y="${y + 4}" width="${length.toFixed(1)}" height="${ROW - 10}" fill="${colour}"/>
<text x="${LABEL + length + 6}" y="${y + 16}" fill="#444444">${value}</text>`;
}

/** How much of its target a finding uses up; above 1 it is missed. */
function shareOf({ value, target }: Finding): number {
  if (target === undefined) return 0;
  return 'least' in target ? target.least / value : value / target.most;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

const RESULTS = resolve(__dirname, '../results');

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), RESULTS);
  if (options === undefined) {
    say(HELP);
    return;
  }
  const startedAt = performance.now();
  const machine = describeMachine();
  say(`load of the last minute: ${machine.loadBefore}`);
  if (machine.busy) say(`  above ${BUSY_LOAD}: others are at work, and the results will say so`);

  const cleanup = new Cleanup();
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) return;
    ending.abort();
    void cleanup.run().then(() => process.exit(130));
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);

  const folder = await cleanup.makeFolder('fiado-bench-');
  // After all else: a profile is written when its process ends.
  if (options.profile) cleanup.add(() => keepProfiles(folder, options.out ?? RESULTS));
  try {
    const { phases, failures } = await runBench({
      options,
      folder,
      cleanup,
      say,
      ending: ending.signal,
    });
    const skipped = skippedRows(failures, options);
    say(textOf(phases, skipped));
    if (options.out !== undefined) await keepResults(options.out, machine, { phases, skipped });
    const missed = phases.flatMap(({ findings }) => findings).filter((one) => keeps(one) === false);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    say(`\n${missed.length} targets missed; ${minutes} minutes`);
    say(`load of the last minute: ${loadavg()[0]?.toFixed(2)}, with the bench's own`);
    if (failures.size > 0) process.exitCode = 1;
    if (options.quick) say('--quick: smaller counts and short rounds; see --help');
  } finally {
    await cleanup.run();
  }
}

async function keepProfiles(folder: string, out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  for (const name of files) await cp(join(folder, name), join(out, name));
}

/** Rows without a figure, and why: their phase failed, or needs a program that is not installed. */
function skippedRows(failures: Map<PhaseName, Error>, { blnk, formance }: Options): Skipped {
  const skipped: Skipped = {};
  for (const [name, { message }] of failures) {
    for (const row of ROWS_OF_PHASE[name]) skipped[row] = message.split('\n')[0] ?? '';
  }
  const needs = (program: string, rows: RowName[]): void => {
    if (isInstalled(program)) return;
    for (const row of rows) skipped[row] = `${program} is not installed`;
  };
  needs('pgbench', ['least SQL']);
  needs('nginx', ['nginx']);
  needs('redis-server', ['textbook', 'notifier on Redis', 'queues on Postgres', 'Blnk']);
  if (blnk === undefined) skipped.Blnk = 'the program of Blnk is not given (--blnk)';
  if (formance === undefined) {
    skipped.Formance = 'the program of Formance ledger is not given (--formance)';
  }
  return skipped;
}

async function keepResults(
  out: string,
  machine: Machine,
  { phases, skipped }: { phases: PhaseResult[]; skipped: Skipped },
): Promise<void> {
  await mkdir(out, { recursive: true });
  const name = machine.date.slice(0, 10);
  const findings = phases.flatMap((phase) => phase.findings);
  // Without the folders of this machine.
  const own = process.argv
    .slice(2)
    .map((argument) => basename(argument))
    .join(' ');
  const command = own === '' ? 'npm run bench' : `npm run bench -- ${own}`;
  const json = JSON.stringify({ machine, command, skipped, phases }, null, 1);
  await writeFile(join(out, `${name}.json`), `${json}\n`);
  await writeFile(join(out, `${name}.svg`), plotOf(findings));
  await writeFile(
    join(out, `${name}.md`),
    markdownOf(machine, { phases, skipped, command, plot: `${name}.svg` }),
  );
  say(`\nkept in ${join(out, name)}.{json,md,svg}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
