import { writeFile } from 'node:fs/promises';
import { Command, CommanderError } from 'commander';
import { UsageError, type Finish, type Output, type ReportOptions } from './command-options';
import { addListen } from './listen';
import { addProvider } from './provider/provider';
import { addRecord } from './record';
import { htmlText } from './report/html';
import { countOf, junitText, tableText, tapText, type Report } from './report/report';
import { addWebhooks } from './webhooks/webhooks';

const EXIT_FINE = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const EXIT_CODES = `
Exit codes: ${EXIT_FINE} all passed · ${EXIT_FAILED} something failed · ${EXIT_USAGE} wrong usage; nothing was sent`;

/**
 * Runs a command line.
 * @returns the exit code
 */
export async function runCheck(args: string[], output: Output): Promise<number> {
  let code = EXIT_FINE;
  const finish: Finish = async (report, options) => {
    output.stdout.write(textOf(report, options));
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

function textOf(report: Report, { json, tap }: ReportOptions): string {
  if (json === true) return `${JSON.stringify(report, null, 2)}\n`;
  return tap === true ? tapText(report) : tableText(report);
}

function createProgram({ stdout, stderr }: Output, finish: Finish): Command {
  const program = new Command('fiado-check')
    .description('Helps to build an integration of Fiado against a sandbox, and proves it.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', EXIT_CODES);
  addProvider(program, finish);
  addWebhooks(program, finish);
  addRecord(program, finish, stderr);
  addListen(program, { stdout, stderr });
  return program;
}
