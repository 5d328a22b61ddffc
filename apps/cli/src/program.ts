import { CommanderError } from 'commander';
import { buildVersion } from '@fiado/chassis/build-version';
import { CliCommand } from './command';
import { addAuditVerifyCommand } from './commands/audit';
import { addApproveCommand, addSetCommand } from './commands/corner-stores';
import { addExportDownloadCommand } from './commands/exports';
import { addRetryCommand } from './commands/jobs';
import { addKeyListCommand } from './commands/keys';
import { addResendCommand } from './commands/messages';
import { addPrivacyCommands } from './commands/privacy';
import { addReconcileCommand } from './commands/reconcile-deposits';
import { addCloseCommand } from './commands/statements';
import { addImportCommand } from './customers/customers';
import {
  EXIT_FINE,
  EXIT_REFUSED,
  EXIT_UNREACHABLE,
  EXIT_USAGE,
  exitCodeOf,
  textOf,
} from './errors';
import { addOperationCommands } from './operation-commands';
import type { Io } from './output';
import { addVerifyCommand } from './verify/verify';

const HELP = `
Exit codes:
  ${EXIT_FINE}  success
  ${EXIT_REFUSED}  the API refused a request, or an invariant is violated
  ${EXIT_USAGE}  wrong usage; no request was sent
  ${EXIT_UNREACHABLE}  the API is unreachable or unavailable

Examples:
  fiado wholesalers create --name "Abarrotes del Centro"
  fiado customers import customers.csv --wholesaler ID --refused refused.csv
  fiado corner-stores list --status pre-approved
  fiado verify

Examples of a command: fiado help <command>, fiado <command> help <subcommand>`;

/**
 * Runs one command line.
 * @returns the exit code; errors were printed to stderr
 */
export async function runCli(args: string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' });
    return EXIT_FINE;
  } catch (error) {
    // commander has printed the problem; requested help is not an error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_FINE : EXIT_USAGE;
    io.stderr.write(`fiado: ${textOf(error)}\n`);
    return exitCodeOf(error);
  }
}

function createProgram(io: Io): CliCommand {
  const program = new CliCommand(io, 'fiado')
    .description('Operates Fiado: wholesalers, customers, credit, deposits and messages.')
    .version(buildVersion(), '--version', 'print the version')
    // Subcommands take these settings over, so they come first.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'fiado: ')),
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true })
    .showHelpAfterError('(see --help)')
    .option(
      '--base-url <url>',
      'URL of the gateway (default: BASE_URL, else the npm start of DATA_DIR, else port 3000)',
    )
    .option(
      '--ops-key <key>',
      'the ops key (default: OPS_API_KEY, else DATA_DIR/secrets.json of a sandbox)',
    )
    .option('--json', 'print the result as JSON, and nothing else, on stdout')
    .addHelpText('after', HELP);

  // More than one call each.
  addApproveCommand(program);
  addSetCommand(program);
  addImportCommand(program);
  addReconcileCommand(program);
  addExportDownloadCommand(program);
  addRetryCommand(program);
  addKeyListCommand(program);
  addResendCommand(program);
  addPrivacyCommands(program);
  addCloseCommand(program);
  addAuditVerifyCommand(program);
  addVerifyCommand(program);
  addOperationCommands(program);
  return program;
}
