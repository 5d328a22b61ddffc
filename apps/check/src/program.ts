import { writeFile } from 'node:fs/promises';
import { Fiado } from '@fiado/client';
import { Command, CommanderError } from 'commander';
import { PROVIDER_SCENARIOS } from './provider/scenarios';
import { htmlText } from './report/html';
import { countOf, junitText, reportOf, tableText, type Report } from './report/report';
import { runScenarios } from './run-scenarios';
import { WEBHOOK_SCENARIOS } from './webhooks/scenarios';

const EXIT_FINE = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const DEFAULT_REFERENCES = 100;

const EXIT_CODES = `
Exit codes: ${EXIT_FINE} all passed · ${EXIT_FAILED} something failed · ${EXIT_USAGE} wrong usage; nothing was sent`;

/** Where the program prints. */
export interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** The command line is wrong. */
class UsageError extends Error {}

interface ReportOptions {
  only?: string[];
  json?: boolean;
  junit?: string;
  html?: string;
}

interface ProviderOptions extends ReportOptions {
  url: string;
  key: string;
  provider: string;
  asWholesaler: string;
  opsKey?: string;
  references: string;
}

interface WebhooksOptions extends ReportOptions {
  secret: string;
  stateUrl?: string;
}

/**
 * Runs a command line.
 * @returns the exit code
 */
export async function runCheck(args: string[], output: Output): Promise<number> {
  let code = EXIT_FINE;
  const finish = async (report: Report, options: ReportOptions): Promise<void> => {
    output.stdout.write(
      options.json === true ? `${JSON.stringify(report, null, 2)}\n` : tableText(report),
    );
    if (options.junit !== undefined) await writeFile(options.junit, junitText(report));
    if (options.html !== undefined) await writeFile(options.html, htmlText(report));
    code = countOf(report, 'failed') > 0 ? EXIT_FAILED : EXIT_FINE;
  };
  try {
    await createProgram(output, finish).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // commander has printed the problem; requested help is none.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_FINE : EXIT_USAGE;
    output.stderr.write(`fiado-check: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

type Finish = (report: Report, options: ReportOptions) => Promise<void>;

function createProgram({ stdout, stderr }: Output, finish: Finish): Command {
  const program = new Command('fiado-check')
    .description('Proves an integration of Fiado against a sandbox.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', EXIT_CODES);
  addProvider(program, finish);
  addWebhooks(program, finish);
  return program;
}

function addProvider(program: Command, finish: Finish): void {
  withReports(program.command('provider'))
    .description(
      'plays a payment provider: notifies deposits in every way, and looks at what is paid',
    )
    .requiredOption('--url <url>', 'address of the sandbox')
    .requiredOption('--key <key>', 'test key of the payment provider')
    .requiredOption('--provider <name>', 'name of the payment provider')
    .requiredOption('--as-wholesaler <key>', 'test key of a wholesaler, which makes the debts')
    .option('--ops-key <key>', 'ops key of the sandbox, for the reversal')
    .option('--references <count>', 'references of D13', String(DEFAULT_REFERENCES))
    .action(async (options: ProviderOptions) => {
      const { url, key, provider: name, asWholesaler: wholesalerKey, opsKey } = options;
      const baseUrl = addressOf('--url', url).replace(/\/+$/, '').replace(/\/v1$/, '');
      for (const one of [key, wholesalerKey, opsKey ?? '']) refuseLive(one);
      if (!/^[1-9]\d{0,5}$/.test(options.references))
        throw new UsageError('--references must be a number');
      const world = {
        provider: { baseUrl, key, name },
        fiado: new Fiado({ apiKey: wholesalerKey, baseUrl, maxRetries: 10 }),
        wholesalerKey,
        opsKey,
        references: Number(options.references),
      };
      const date = new Date().toISOString();
      const results = await runScenarios(
        PROVIDER_SCENARIOS,
        world,
        knownIds(PROVIDER_SCENARIOS, options),
      );
      await finish(reportOf({ kit: 'provider', target: baseUrl, date, results }), options);
    });
}

function addWebhooks(program: Command, finish: Finish): void {
  withReports(program.command('webhooks'))
    .description('plays Fiado: sends webhooks of all kinds to a receiver')
    .argument('<url>', 'address of the receiver')
    .requiredOption('--secret <secret>', 'its signing secret, whsec_…')
    .option('--state-url <url>', 'shows the state of the receiver, so that a second effect is seen')
    .action(async (url: string, options: WebhooksOptions) => {
      const { secret, stateUrl } = options;
      const target = addressOf('<url>', url);
      if (stateUrl !== undefined) addressOf('--state-url', stateUrl);
      if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) {
        throw new UsageError('--secret must be whsec_ and base64');
      }
      const receiver = { url, secret, stateUrl };
      const date = new Date().toISOString();
      const results = await runScenarios(
        WEBHOOK_SCENARIOS,
        receiver,
        knownIds(WEBHOOK_SCENARIOS, options),
      );
      await finish(reportOf({ kit: 'webhooks', target, date, results }), options);
    });
}

function withReports(command: Command): Command {
  return command
    .option('--only <ids...>', 'run these scenarios only')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'write a report in JUnit XML')
    .option('--html <file>', 'write a report in Spanish and English, with a hash and the date');
}

function knownIds(
  scenarios: ReadonlyArray<{ id: string }>,
  { only = [] }: ReportOptions,
): string[] {
  const unknown = only.filter((id) => !scenarios.some((one) => one.id === id));
  if (unknown.length > 0) throw new UsageError(`--only: unknown ${unknown.join(', ')}`);
  return only;
}

/** @returns the address without a query, which may hold a secret */
function addressOf(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${option} must look like https://sandbox.example.com`);
  }
  return `${url.origin}${url.pathname}`;
}

/** The kit makes orders and deposits, which production must never see. */
function refuseLive(key: string): void {
  if (key.startsWith('fiado_live_'))
    throw new UsageError('a fiado_live_ key is refused: use a sandbox');
}
