import type { Command } from 'commander';
import { reportOf, type Report } from './report/report';
import { runScenarios, type Scenario } from './scenario';

/** The command line is wrong. */
export class UsageError extends Error {}

/** Where the program prints. */
export interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Options of all commands. */
export interface ReportOptions {
  only?: string[];
  json?: boolean;
  tap?: boolean;
  junit?: string;
  html?: string;
}

/** Writes the reports of a run. */
export type Finish = (report: Report, options: ReportOptions) => Promise<void>;

/** Adds the options of all commands. */
export function withReports(command: Command): Command {
  return command
    .option('--only <ids...>', 'run these scenarios only')
    .option('--json', 'print the results as JSON')
    .option('--tap', 'print the results as TAP')
    .option('--junit <file>', 'write a report in JUnit XML')
    .option('--html <file>', 'write a report in Spanish and English, with a hash and the date');
}

/** @throws UsageError for an id that is none */
export function knownIds(
  scenarios: ReadonlyArray<{ id: string }>,
  { only = [] }: ReportOptions,
): string[] {
  const unknown = only.filter((id) => !scenarios.some((one) => one.id === id));
  if (unknown.length > 0) throw new UsageError(`--only: unknown ${unknown.join(', ')}`);
  return only;
}

/** Runs the chosen scenarios of a kit and writes its reports. */
export async function judge<World>(
  { kit, target }: Pick<Report, 'kit' | 'target'>,
  { scenarios, world }: { scenarios: ReadonlyArray<Scenario<World>>; world: World },
  { options, finish }: { options: ReportOptions; finish: Finish },
): Promise<void> {
  const only = knownIds(scenarios, options);
  const date = new Date().toISOString();
  const results = await runScenarios(scenarios, world, only);
  await finish(reportOf({ kit, target, date, results }), options);
}

/** The kit makes orders, deposits and settings, which production must never see. */
export function refuseLive(key: string): void {
  if (key.startsWith('fiado_live_'))
    throw new UsageError('a fiado_live_ key is refused: use a sandbox');
}

/** @returns the address of an API, with or without the version at its end */
export function apiAddressOf(option: string, text: string): string {
  return addressOf(option, text).replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** @returns the address without a query, which may hold a secret */
export function addressOf(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${option} must look like https://sandbox.example.com`);
  }
  return `${url.origin}${url.pathname}`;
}
