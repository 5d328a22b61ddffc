import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { foldKey } from '@fiado/contracts/fold-key';
import {
  addPayment,
  differencesOf,
  type Payments,
  type RowProblem,
} from '@fiado/ops-client/reconcile-deposits';
import type { CliCommand } from '../command';
import { CommandFailed, UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import { tableOf } from '../output';
import type { Session } from '../session';

const HELP = `
FILE is a CSV in UTF-8, as the payment provider sends it for a day. Its first line names the columns, in
any order; others are ignored:
  claveDePago,valor
  K-000123,529.00

claveDePago is the provider's key of the payment, valor its amount in pesos. The file is compared with
the deposits that arrived on the day, in the time zone of the lender. A payment of the file that arrived
on the day before or after is found, too. Nothing is changed. One line for each difference:
  missing-here   the file has it, and no deposit came: ask the provider to report it
  missing-there  a deposit came, and the file does not have it: ask the provider before you rely on it
  other-amount   both have it, with different amounts
  reversed-here  both have it, and the deposit was reversed: its money counts as not collected

Exit codes: 0 no difference; 1 there are differences; 2 the file or the command line is wrong, such as
a name that no payment provider has.

Example:
  fiado deposits reconcile oxxo-2026-11-22.csv --provider "OXXO Pay" --day 2026-11-22`;

const COLUMNS = ['difference', 'claveDePago', 'file', 'valor', 'status', 'depositId'] as const;

/** fiado deposits reconcile. */
export function addReconcileCommand(program: CliCommand): void {
  nounOf(program, 'deposits')
    .command('reconcile')
    .description('compare a provider’s file with the deposits of a day')
    .argument('<file>')
    .requiredOption('--provider <name>', 'the payment provider, as `fiado providers list` shows it')
    .requiredOption('--day <day>', 'the day, such as 2026-11-22')
    .addHelpText('after', HELP)
    .work(async (session, file: string, { provider, day }: { provider: string; day: string }) => {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
        throw new UsageError('--day must be a day such as 2026-11-22');
      }
      const payments = await readPayments(file);
      await requireProvider(session, provider);
      const differences = await differencesOf(session.ops, payments, {
        provider,
        day,
        fold: foldKey,
      });
      const { out } = session;
      const count = payments.size;
      out.result({ day, provider, payments: count, differences }, () =>
        differences.length === 0
          ? `no difference: ${count} payments`
          : tableOf(differences, COLUMNS),
      );
      if (differences.length > 0) throw new CommandFailed(`${differences.length} differences`);
    });
}

interface FileRow {
  info: { lines: number };
  record: Partial<Record<string, string>>;
}

function textOf(problem: RowProblem, { info, record }: FileRow): string {
  const texts: Record<RowProblem, string> = {
    'no-column': 'the file needs the columns claveDePago and valor',
    'no-payment': `line ${info.lines}: needs a claveDePago and a valor such as 529.00`,
    'not-utf-8': `line ${info.lines}: is not UTF-8`,
    twice: `line ${info.lines}: the file has ${record['claveDePago']} twice`,
  };
  return texts[problem];
}

/** @throws UsageError for a file that cannot be read, misses a column, or has a wrong or repeated row */
async function readPayments(file: string): Promise<Payments> {
  const payments: Payments = new Map();
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    columns: (names: string[]) => {
      const twice = ['claveDePago', 'valor'].find(
        (name) => names.indexOf(name) !== names.lastIndexOf(name),
      );
      if (twice !== undefined) throw new UsageError(`the file names the column ${twice} twice`);
      return names;
    },
    info: true,
    trim: true,
    skip_empty_lines: true,
  });
  source.on('error', (error) => parser.destroy(error));
  let isEmpty = true;
  try {
    for await (const row of source.pipe(parser) as AsyncIterable<FileRow>) {
      isEmpty = false;
      const problem = addPayment(payments, row.record, foldKey);
      if (problem !== undefined) throw new UsageError(textOf(problem, row));
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`the file is not CSV: ${error.message}`);
    if (error instanceof Error && 'code' in error) throw new UsageError(error.message);
    throw error;
  } finally {
    source.destroy();
  }
  if (isEmpty) throw new UsageError('the file has no payment');
  return payments;
}

/** @throws UsageError when no payment provider has the name: each payment of its file would be missing */
async function requireProvider({ ops }: Session, provider: string): Promise<void> {
  for await (const { name } of ops.paymentProviders.list({ limit: 100 })) {
    if (name === provider) return;
  }
  throw new UsageError(`no payment provider is named ${provider}`);
}
