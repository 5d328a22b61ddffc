import { FiadoError } from '@fiado/client';
import type { Command } from 'commander';
import { amount, id, rate } from '../arguments';
import { confirm } from '../confirm';
import { UsageError } from '../errors';
import { amountText } from '../output';
import { printChange } from '../print-change';
import type { OpenSession } from '../session';

interface SetOptions {
  limit?: number;
  rate?: number;
  reason?: string;
  yes?: boolean;
}

/** Each pair is absent where the new value is usual. */
interface UnusualTerms {
  creditLimit: number;
  newCreditLimit?: number;
  interestRate: number;
  newInterestRate?: number;
}

/** fiado corner-stores set. */
export function addSetCommand(stores: Command, open: OpenSession): void {
  stores
    .command('set')
    .description('change the credit limit or interest rate of a corner store')
    .argument('<cornerStoreId>', '', id)
    .option('--limit <pesos>', 'credit limit', amount)
    .option('--rate <rate>', 'interest rate of new orders; 0.05 is five per cent', rate)
    .option('--reason <text>', 'for the second person, where one is needed')
    .option('--yes', 'set an unusual limit or rate without being asked, in scripts')
    .addHelpText(
      'after',
      `
A rate above 0.30, and a limit above CREDIT_LIMIT_CEILING of accounts, is set after a confirmation.

Example:
  fiado corner-stores set 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --limit 15000 --rate 0.04`,
    )
    .action(async (cornerStoreId: string, options: SetOptions, command: Command) => {
      const { limit: creditLimit, rate: interestRate, reason, yes = false } = options;
      if (creditLimit === undefined && interestRate === undefined) {
        throw new UsageError('use --limit, --rate or both');
      }
      const { ops, out, io } = await open(command);
      const update = (confirmed: boolean) =>
        ops.cornerStores.update(cornerStoreId, {
          ...(creditLimit !== undefined && { creditLimit }),
          ...(interestRate !== undefined && { interestRate }),
          ...(reason !== undefined && { reason }),
          confirmed,
        });
      const answer = await update(yes).catch(async (error: unknown) => {
        const isUnusual = error instanceof FiadoError && error.code === 'CONFIRMATION_REQUIRED';
        if (!isUnusual) throw error;
        await confirm(
          io,
          `${unusualTerms(error.details as unknown as UnusualTerms)}: is this meant?`,
        );
        return update(true);
      });
      printChange(out, answer);
    });
}

/** The old and the new values of CONFIRMATION_REQUIRED. */
function unusualTerms(details: UnusualTerms): string {
  const { creditLimit, newCreditLimit, interestRate, newInterestRate } = details;
  const changes = [
    newCreditLimit && `credit limit ${amountText(creditLimit)} -> ${amountText(newCreditLimit)}`,
    newInterestRate && `interest rate ${interestRate} -> ${newInterestRate}`,
  ];
  return changes.filter(Boolean).join(', ');
}
