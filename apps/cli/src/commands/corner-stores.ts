import type { Command } from 'commander';
import { amount, id, ids, rate } from '../arguments';
import { ApiRefusal, CommandFailed, textOf, UsageError } from '../errors';
import type { Row } from '../output';
import { printPages, withPages, type PageOptions } from '../pages';
import { printAnswer } from '../print-answer';
import type { OpenSession, Session } from '../session';

const COLUMNS = [
  'cornerStoreId',
  'status',
  'creditLimit',
  'interestRate',
  'firstName',
  'lastNames',
  'phoneNumber',
  'createdAt',
];

interface ListOptions extends PageOptions {
  status?: string;
  wholesaler?: string;
  phoneHeld?: boolean;
}

interface Terms {
  limit?: number;
  rate?: number;
}

/** fiado corner-stores list | approve | reject | set | clear-phone-hold. */
export function addCornerStoreCommands(program: Command, open: OpenSession): void {
  const stores = program.command('corner-stores').description('approve and manage corner stores');
  addList(stores, open);
  addDecisions(stores, open);
  addSet(stores, open);
  addClearPhoneHold(stores, open);
}

function addList(stores: Command, open: OpenSession): void {
  withPages(stores.command('list'))
    .description('list corner stores, newest first')
    .option(
      '--status <status>',
      'pre-approved, in-manual-validation, approved or in-payment-default',
    )
    .option('--wholesaler <id>', 'customers of this wholesaler only', id)
    .option('--phone-held', 'only those whose large orders are held after a phone number change')
    .addHelpText('after', '\nExample:\n  fiado corner-stores list --status in-manual-validation')
    .action(async ({ status, wholesaler, phoneHeld, ...pages }: ListOptions, command: Command) => {
      const query = {
        status,
        wholesalerId: wholesaler,
        phoneHeld: phoneHeld === true ? 'true' : undefined,
      };
      const listing = { path: '/corner-stores', query, field: 'cornerStores', columns: COLUMNS };
      await printPages(await open(command), listing, pages);
    });
}

function addDecisions(stores: Command, open: OpenSession): void {
  stores
    .command('approve')
    .description('approve corner stores, one after the other; refusals are listed')
    .argument('<cornerStoreId...>', '', ids)
    .addHelpText(
      'after',
      `
Examples:
  fiado corner-stores approve 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11
  fiado corner-stores list --status pre-approved --all --json | jq -r .cornerStoreId \\
    | xargs fiado corner-stores approve`,
    )
    .action(async (cornerStoreIds: string[], _options: object, command: Command) => {
      await approveAll(await open(command), cornerStoreIds);
    });

  stores
    .command('reject')
    .description('reject a corner store: its status becomes pre-approved, its limit 0')
    .argument('<cornerStoreId>', '', id)
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .addHelpText(
      'after',
      '\nExample:\n  fiado corner-stores reject 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --reason "no such address"',
    )
    .action(async (cornerStoreId: string, { reason }: { reason: string }, command: Command) => {
      const path = `/corner-stores/${cornerStoreId}/reject`;
      const request = { body: { reason }, repeatable: true };
      await printAnswer(await open(command), 'POST', path, request);
    });
}

function addSet(stores: Command, open: OpenSession): void {
  stores
    .command('set')
    .description('change the credit limit or interest rate of a corner store')
    .argument('<cornerStoreId>', '', id)
    .option('--limit <pesos>', 'credit limit', amount)
    .option('--rate <rate>', 'interest rate of new orders; 0.05 is five per cent', rate)
    .addHelpText(
      'after',
      '\nExample:\n  fiado corner-stores set 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --limit 15000 --rate 0.04',
    )
    .action(async (cornerStoreId: string, terms: Terms, command: Command) => {
      if (Object.keys(terms).length === 0) throw new UsageError('use --limit, --rate or both');
      const body = { creditLimit: terms.limit, interestRate: terms.rate };
      await printAnswer(await open(command), 'PUT', `/corner-stores/${cornerStoreId}`, { body });
    });
}

function addClearPhoneHold(stores: Command, open: OpenSession): void {
  stores
    .command('clear-phone-hold')
    .description('allow large orders again after a phone number change; call the owner first')
    .argument('<cornerStoreId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado corner-stores clear-phone-hold 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11',
    )
    .action(async (cornerStoreId: string, _options: object, command: Command) => {
      const path = `/corner-stores/${cornerStoreId}/clear-phone-hold`;
      await printAnswer(await open(command), 'POST', path, { repeatable: true });
    });
}

async function approveAll({ api, out }: Session, cornerStoreIds: string[]): Promise<void> {
  let refused = 0;
  for (const cornerStoreId of cornerStoreIds) {
    try {
      const path = `/corner-stores/${cornerStoreId}/approve`;
      const store = await api.call<Row>('POST', path, { repeatable: true });
      out.result(store, () => `${cornerStoreId} is ${String(store['status'])}`);
    } catch (error) {
      // An error of one store may not affect the next one; a missing credential affects all.
      if (!(error instanceof ApiRefusal) || error.details.status === 401) throw error;
      refused += 1;
      out.note(`${cornerStoreId}: ${textOf(error)}`);
    }
  }
  if (refused > 0) throw new CommandFailed(`${refused} of ${cornerStoreIds.length} refused`);
}
