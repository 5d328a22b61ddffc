import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { foldKey } from '@fiado/contracts/fold-key';
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

const DAY_MS = 86_400_000;
const COLUMNS = ['difference', 'claveDePago', 'file', 'valor', 'status', 'depositId'] as const;

/** A row of the file's, by its key. In cents, because sums of pesos are not exact. */
type Payments = Map<string, number>;

interface Difference {
  difference: 'missing-here' | 'missing-there' | 'other-amount' | 'reversed-here';
  claveDePago: string;
  /** Pesos of the file. */
  file: number | null;
  /** Pesos of the deposit. */
  valor: number | null;
  status: string | null;
  depositId: string | null;
}

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
      const differences = await differencesOf(session, payments, { provider, day });
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
    for await (const row of source.pipe(parser) as AsyncIterable<{
      info: { lines: number };
      record: Partial<Record<string, string>>;
    }>) {
      isEmpty = false;
      const { claveDePago, valor } = row.record;
      if (claveDePago === undefined || valor === undefined) {
        throw new UsageError('the file needs the columns claveDePago and valor');
      }
      if (claveDePago === '' || !/^\d{1,12}(\.\d{1,2})?$/.test(valor)) {
        throw new UsageError(
          `line ${row.info.lines}: needs a claveDePago and a valor such as 529.00`,
        );
      }
      if (claveDePago.includes('\u{FFFD}')) {
        throw new UsageError(`line ${row.info.lines}: is not UTF-8`);
      }
      const key = foldKey(claveDePago);
      if (payments.has(key)) {
        throw new UsageError(`line ${row.info.lines}: the file has ${claveDePago} twice`);
      }
      payments.set(key, centsOf(Number(valor)));
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

async function differencesOf(
  { ops }: Session,
  payments: Payments,
  { provider, day }: { provider: string; day: string },
): Promise<Difference[]> {
  const missing = new Map(payments);
  const differences: Difference[] = [];
  for (const offset of [-1, 0, 1]) {
    const [from, to] = [dayAfter(day, offset), dayAfter(day, offset + 1)];
    for await (const deposit of ops.deposits.list({ from, to, limit: 100 })) {
      if (deposit.paymentProvider !== provider) continue;
      const { claveDePago, valor, status, depositId } = deposit;
      const cents = payments.get(foldKey(claveDePago));
      missing.delete(foldKey(claveDePago));
      const common = { claveDePago, valor, status, depositId };
      if (cents === undefined) {
        if (offset === 0) differences.push({ difference: 'missing-there', file: null, ...common });
      } else if (cents !== centsOf(valor)) {
        differences.push({ difference: 'other-amount', file: cents / 100, ...common });
      } else if (status === 'reversed') {
        differences.push({ difference: 'reversed-here', file: cents / 100, ...common });
      }
    }
  }
  const absent = { valor: null, status: null, depositId: null };
  for (const [claveDePago, cents] of missing) {
    differences.push({ difference: 'missing-here', claveDePago, file: cents / 100, ...absent });
  }
  return differences.toSorted((a, b) => (a.claveDePago < b.claveDePago ? -1 : 1));
}

function centsOf(pesos: number): number {
  return Math.round(pesos * 100);
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
