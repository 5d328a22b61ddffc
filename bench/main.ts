import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HELP, readOptions } from './options';
import { runBench } from './run-bench';
import { Cleanup } from './support/cleanup';
import { BUSY_LOAD, describeMachine, type Machine } from './support/machine';
import { plotOf } from './support/plot';
import { markdownOf, textOf } from './support/report';
import { keeps, type PhaseResult } from './support/world';

const RESULTS = resolve(__dirname, '../results');

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), RESULTS);
  if (options === undefined) {
    say(HELP);
    return;
  }
  const machine = describeMachine();
  say(`load of the last minute: ${machine.loadBefore}`);
  if (machine.busy) say(`  above ${BUSY_LOAD}: others are at work, and the results will say so`);

  const cleanup = new Cleanup();
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    void cleanup.run().then(() => process.exit(130));
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);

  const folder = await mkdtemp(join(tmpdir(), 'fiado-bench-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  // After all else: a profile is written when its process ends.
  if (options.profile) cleanup.add(() => keepProfiles(folder, options.out ?? RESULTS));
  // Where the database runs as a user of its own, that user has to get through.
  await chmod(folder, 0o711);
  try {
    const phases = await runBench({ options, folder, cleanup, say });
    say(textOf(phases));
    if (options.out !== undefined) await keepResults(options.out, machine, phases);
    const missed = phases.flatMap(({ findings }) => findings).filter((one) => keeps(one) === false);
    say(`\n${missed.length} targets missed; load of the last minute ${loadavg()[0]?.toFixed(2)}`);
  } finally {
    await cleanup.run();
  }
}

async function keepProfiles(folder: string, out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  for (const name of files) await cp(join(folder, name), join(out, name));
}

async function keepResults(out: string, machine: Machine, phases: PhaseResult[]): Promise<void> {
  await mkdir(out, { recursive: true });
  const name = machine.date.slice(0, 10);
  const findings = phases.flatMap((phase) => phase.findings);
  const json = JSON.stringify({ machine, phases }, null, 1);
  await writeFile(join(out, `${name}.json`), `${json}\n`);
  await writeFile(join(out, `${name}.svg`), plotOf(findings));
  await writeFile(join(out, `${name}.md`), markdownOf(machine, phases, `${name}.svg`));
  say(`\nkept in ${join(out, name)}.{json,md,svg}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
