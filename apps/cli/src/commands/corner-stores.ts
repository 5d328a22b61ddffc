import { Option } from 'commander';
import { FiadoError } from '@fiado/client';
import { BLOCKED_READ_REASONS } from '@fiado/contracts/privacy';
import type { QueryOf, Schema } from '@fiado/ops-client/operations';
import { amount, id, ids, rate } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { CommandFailed, isUnreachable, textOf, UsageError } from '../errors';
import { amountText, confirm, printChange, recordOf } from '../output';
import type { Session } from '../session';

const COLUMNS = [
  'cornerStoreId',
  'status',
  'creditLimit',
  'interestRate',
  'firstName',
  'lastNames',
  'phoneNumber',
  'createdAt',
] as const;

const PAYOUT_COLUMNS = [
  'payoutId',
  'status',
  'amount',
  'bankReference',
  'reason',
  'requestedAt',
  'paidAt',
  'returnedAt',
] as const;

interface ListOptions extends PageOptions {
  status?: QueryOf<'listCornerStores'>['status'];
  wholesaler?: string;
  phoneHeld?: boolean;
}

const TIMELINE_COLUMNS = ['occurredAt', 'type', 'wholesalerId', 'subjectId', 'details'] as const;

interface SetOptions {
  limit?: number;
  rate?: number;
  reason?: string;
  yes?: boolean;
}

/**
 * fiado corner-stores (or stores) list | show | timeline | approve | reject | set | clear-phone-hold |
 * payouts | pay-out | payout-returned.
 */
export function addCornerStoreCommands(program: CliCommand): void {
  const stores = program
    .command('corner-stores')
    .alias('stores')
    .description('show, approve and manage corner stores');
  addList(stores);
  addShow(stores);
  addTimeline(stores);
  addDecisions(stores);
  addSetCommand(stores);
  addClearPhoneHold(stores);
  addPayoutCommands(stores);
}

function addList(stores: CliCommand): void {
  stores
    .list('list')
    .description('list corner stores, newest first')
    .option(
      '--status <status>',
      'pre-approved, in-manual-validation, approved or in-payment-default',
    )
    .option('--wholesaler <id>', 'customers of this wholesaler only', id)
    .option('--phone-held', 'only those whose large orders are held after a phone number change')
    .example('fiado corner-stores list --status in-manual-validation')
    .pages(
      ({ ops }, { wholesaler, phoneHeld, ...query }: ListOptions) =>
        ops.cornerStores.list({
          ...query,
          wholesalerId: wholesaler,
          phoneHeld: phoneHeld === true ? 'true' : undefined,
        }),
      (page) => page.cornerStores,
      COLUMNS,
    );
}

type ShowOptions = QueryOf<'getCornerStoreOverview'>;

function addShow(stores: CliCommand): void {
  stores
    .command('show')
    .description('show a corner store: status, credit, debts, onboarding and wholesalers')
    .argument('<cornerStoreId>', '', id)
    .addOption(
      new Option('--reason <code>', 'why the data of a blocked store are read; audited').choices(
        BLOCKED_READ_REASONS,
      ),
    )
    .example('fiado stores show 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11')
    .work(async ({ ops, out }, cornerStoreId: string, asked: ShowOptions) => {
      const overview = await ops.cornerStores.get(cornerStoreId, asked);
      const { cornerStore, wholesalers, credit, debts, missing } = overview;
      const nameOf = new Map(wholesalers.map(({ wholesalerId, name }) => [wholesalerId, name]));
      out.result(overview, () =>
        recordOf({
          ...cornerStore,
          ...credit,
          ...debts,
          customers: cornerStore.customers
            .map(({ wholesalerId, externalId }) => `${externalId} (${nameOf.get(wholesalerId)})`)
            .join(', '),
        }),
      );
      if (missing.length > 0) out.note(`did not answer: ${missing.join(', ')}`);
    });
}

function addTimeline(stores: CliCommand): void {
  stores
    .list('timeline')
    .description('list what happened to a corner store in all services, newest first')
    .argument('<cornerStoreId>', '', id)
    .option('--from <time>', 'from this day or time on')
    .option('--to <time>', 'before this day or time')
    .example('fiado stores timeline 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --from 2026-11-22')
    .pages(
      ({ ops }, cornerStoreId: string, query: QueryOf<'getTimeline'>) =>
        ops.cornerStores.timeline(cornerStoreId, query),
      ({ entries, missing }, out) => {
        if (missing.length > 0) out.note(`did not answer: ${missing.join(', ')}`);
        return [...entries];
      },
      TIMELINE_COLUMNS,
    );
}

function addDecisions(stores: CliCommand): void {
  stores
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

  stores
    .command('reject')
    .description('reject a corner store: its status becomes pre-approved, its limit 0')
    .argument('<cornerStoreId>', '', id)
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .example(
      'fiado corner-stores reject 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --reason "no such address"',
    )
    .work(async ({ ops, out }, cornerStoreId: string, body: { reason: string }) =>
      out.record(await ops.cornerStores.reject(cornerStoreId, body)),
    );
}

function addClearPhoneHold(stores: CliCommand): void {
  stores
    .command('clear-phone-hold')
    .description('allow large orders again after a phone number change; call the owner first')
    .argument('<cornerStoreId>', '', id)
    .example('fiado corner-stores clear-phone-hold 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11')
    .work(async ({ ops, out }, cornerStoreId: string) =>
      out.record(await ops.cornerStores.clearPhoneHold(cornerStoreId)),
    );
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

/** fiado corner-stores payouts | pay-out | payout-returned. */
function addPayoutCommands(stores: CliCommand): void {
  stores
    .list('payouts')
    .description('list what was paid out of a corner store’s credit balance, newest first')
    .argument('<cornerStoreId>', '', id)
    .example('fiado stores payouts 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11')
    .pages(
      ({ ops }, cornerStoreId: string, query: PageOptions) =>
        ops.cornerStores.listPayouts(cornerStoreId, query),
      (page) => page.payouts,
      PAYOUT_COLUMNS,
    );

  stores
    .command('pay-out')
    .description('pay out credit balance; the amount is reserved until a second person approves')
    .argument('<cornerStoreId>', '', id)
    .requiredOption('--amount <pesos>', 'at most the credit balance', amount)
    .requiredOption('--bank-reference <text>', 'of the transfer; each is used once')
    .requiredOption('--reason <text>', 'for the second person')
    .example(
      'fiado stores pay-out 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --amount 42 --bank-reference SPEI-77 --reason "the store asked for it"',
    )
    .work(
      async (
        { ops, out },
        cornerStoreId: string,
        body: { amount: number; bankReference: string; reason: string },
      ) => printChange(out, await ops.cornerStores.payOut(cornerStoreId, body)),
    );

  stores
    .command('payout-returned')
    .description('book a payout back that the bank returned, once')
    .argument('<cornerStoreId>', '', id)
    .argument('<payoutId>', '', id)
    .example(
      'fiado stores payout-returned 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 0199e2c4-9d4e-7f50-8b62-738495061728',
    )
    .work(async ({ ops, out }, cornerStoreId: string, payoutId: string) =>
      printChange(out, await ops.cornerStores.recordReturnedPayout(cornerStoreId, payoutId)),
    );
}

/** fiado corner-stores set. */
function addSetCommand(stores: CliCommand): void {
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
