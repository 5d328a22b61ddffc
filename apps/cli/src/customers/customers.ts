import { id } from '../arguments';
import type { CliCommand } from '../command';
import { CommandFailed } from '../errors';
import { nounOf } from '../operation-commands';
import { importCustomers } from './import-customers';

/** A long import survives a restart of the services: some two minutes of attempts. */
const PATIENCE = { maxRetries: 13, deadlineMs: 300_000 };

const HELP = `
FILE is a CSV in UTF-8 of any size. Its first line names the columns, in any order:
  externalId,firstName,lastNames,phoneNumber,creditLimit,interestRate
  tienda-001,Guadalupe,Hernández López,+525555550101,10000,0.05

Rows at fault are written to the refused file with their line and the reason; all others are
imported. Corrected, that file can be imported as it is. Running a file again changes nothing.

Example:
  fiado customers import customers.csv --wholesaler 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 \\
    --refused refused.csv`;

/** fiado customers import. */
export function addImportCommand(program: CliCommand): void {
  nounOf(program, 'customers')
    .command('import')
    .description('import customers of a wholesaler from a CSV file')
    .argument('<file>')
    .requiredOption('--wholesaler <id>', 'the wholesaler', id)
    .option('--refused <file>', 'file for the refused rows')
    .addHelpText('after', HELP)
    .work(
      async ({ ops, out, io }, file: string, options: { wholesaler: string; refused?: string }) => {
        const summary = await importCustomers({
          ops,
          file,
          wholesalerId: options.wholesaler,
          refusedFile: options.refused,
          progressTo: io.stderr,
        });
        const { rows, imported, refused, waiting, changeRequestIds = [] } = summary;
        const waits = waiting === undefined ? '' : `, waiting ${waiting}`;
        out.result(summary, () => `rows ${rows}, imported ${imported}, refused ${refused}${waits}`);
        for (const one of changeRequestIds) {
          out.note(`It waits for a second person. Why: fiado change-requests show ${one}`);
        }
        if (refused > 0) throw new CommandFailed(`${refused} of ${rows} rows were refused`);
      },
      PATIENCE,
    );
}
