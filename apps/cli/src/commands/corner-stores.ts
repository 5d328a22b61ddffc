import { FiadoError } from '@fiado/client';
import type { Schema } from '@fiado/ops-client/operations';
import { amount, id, ids, rate } from '../arguments';
import type { CliCommand } from '../command';
import { CommandFailed, isUnreachable, textOf, UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import { amountText, confirm, printChange } from '../output';
import type { Session } from '../session';

interface SetOptions {
  limit?: number;
  rate?: number;
  reason?: string;
  yes?: boolean;
}

/** fiado corner-stores approve. */
export function addApproveCommand(program: CliCommand): void {
  nounOf(program, 'corner-stores')
    .command('approve')
    .description('approve corner stores, one after the other; refusals are listed')
    .argument('<cornerStoreId...>', '', ids)
    .option('--reason <text>', 'why, for stores whose onboarding is incomplete')
    .example(
      'fiado corner-stores approve 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --reason "visited; papers follow"',
      'fiado corner-stores list --status pre-approved --all --json | jq -r .cornerStoreId \\',
      '  | xargs fiado corner-stores approve',
    )
    .work(approveAll);
}

async function approveAll(
  { ops, out }: Session,
  cornerStoreIds: string[],
  body: { reason?: string },
): Promise<void> {
  let refused = 0;
  for (const cornerStoreId of cornerStoreIds) {
    try {
      const store = await ops.cornerStores.approve(cornerStoreId, body);
      out.result(store, () => `${cornerStoreId} is ${store.status}`);
    } catch (error) {
      // An error of one store may not affect the next one; a missing credential affects all.
      const isOfStore = error instanceof FiadoError && error.status !== 401;
      if (!isOfStore || isUnreachable(error)) throw error;
      refused += 1;
      out.note(`${cornerStoreId}: ${textOf(error)}`);
    }
  }
  if (refused > 0) throw new CommandFailed(`${refused} of ${cornerStoreIds.length} refused`);
}

/** fiado corner-stores set. */
export function addSetCommand(program: CliCommand): void {
  nounOf(program, 'corner-stores')
    .command('set')
    .description('change the credit limit or interest rate of a corner store')
    .argument('<cornerStoreId>', '', id)
    .option('--limit <pesos>', 'credit limit', amount)
    .option('--rate <rate>', 'interest rate of new orders; 0.05 is five per cent', rate)
    .option('--reason <text>', 'for the second person, where one is needed')
    .option('--yes', 'set an unusual limit or rate without being asked, in scripts')
    .addHelpText(
      'after',
      '\nA rate above 0.30, and a limit above CREDIT_LIMIT_CEILING of accounts, is set after a confirmation.',
    )
    .example(
      'fiado corner-stores set 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --limit 15000 --rate 0.04',
    )
    .work(async ({ ops, out, io }, cornerStoreId: string, options: SetOptions) => {
      const { limit: creditLimit, rate: interestRate, reason, yes = false } = options;
      if (creditLimit === undefined && interestRate === undefined) {
        throw new UsageError('use --limit, --rate or both');
      }
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
        const terms = unusualTerms(error.details as Schema<'RefusedTerms'>);
        await confirm(io, `${terms}: is this meant?`);
        return update(true);
      });
      printChange(out, answer);
    });
}

/** The old and the new values; a pair is absent where the new one is usual. */
function unusualTerms(terms: Schema<'RefusedTerms'>): string {
  const { creditLimit = 0, newCreditLimit, interestRate, newInterestRate } = terms;
  const changes = [
    newCreditLimit && `credit limit ${amountText(creditLimit)} -> ${amountText(newCreditLimit)}`,
    newInterestRate && `interest rate ${interestRate} -> ${newInterestRate}`,
  ];
  return changes.filter(Boolean).join(', ');
}
