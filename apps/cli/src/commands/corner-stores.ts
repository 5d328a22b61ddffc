import { FiadoError } from '@fiado/client';
import type { Command } from 'commander';
import { id, ids } from '../arguments';
import { CommandFailed, isUnreachable, textOf } from '../errors';
import type { AnswerOf, QueryOf } from '@fiado/ops-client/operations';
import { recordOf, type Output } from '../output';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession, Session } from '../session';
import { addPayoutCommands } from './payouts';
import { addSetCommand } from './set-corner-store';

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

interface ListOptions extends PageOptions {
  status?: QueryOf<'listCornerStores'>['status'];
  wholesaler?: string;
  phoneHeld?: boolean;
}

const TIMELINE_COLUMNS = ['occurredAt', 'type', 'wholesalerId', 'subjectId', 'details'] as const;

interface TimelineOptions extends PageOptions {
  from?: string;
  to?: string;
}

/** fiado corner-stores (or stores) list | show | timeline | approve | reject | set | clear-phone-hold, and
 * those of payouts. */
export function addCornerStoreCommands(program: Command, open: OpenSession): void {
  const stores = program
    .command('corner-stores')
    .alias('stores')
    .description('show, approve and manage corner stores');
  addList(stores, open);
  addShow(stores, open);
  addTimeline(stores, open);
  addDecisions(stores, open);
  addSetCommand(stores, open);
  addClearPhoneHold(stores, open);
  addPayoutCommands(stores, open);
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
    .action(async (options: ListOptions, command: Command) => {
      const { ops, out } = await open(command);
      const { status, wholesaler, phoneHeld, cursor, all } = options;
      const list = ops.cornerStores.list({
        status,
        wholesalerId: wholesaler,
        phoneHeld: phoneHeld === true ? 'true' : undefined,
        cursor,
      });
      await printPages(out, list, { rowsOf: (page) => page.cornerStores, columns: COLUMNS }, all);
    });
}

function addShow(stores: Command, open: OpenSession): void {
  stores
    .command('show')
    .description('show a corner store: status, credit, debts, onboarding and wholesalers')
    .argument('<cornerStoreId>', '', id)
    .addHelpText('after', '\nExample:\n  fiado stores show 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11')
    .action(async (cornerStoreId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      const overview = await ops.cornerStores.get(cornerStoreId);
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

function addTimeline(stores: Command, open: OpenSession): void {
  withPages(stores.command('timeline'))
    .description('list what happened to a corner store in all services, newest first')
    .argument('<cornerStoreId>', '', id)
    .option('--from <time>', 'from this day or time on')
    .option('--to <time>', 'before this day or time')
    .addHelpText(
      'after',
      '\nExample:\n  fiado stores timeline 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --from 2026-11-22',
    )
    .action(async (cornerStoreId: string, options: TimelineOptions, command: Command) => {
      const { ops, out } = await open(command);
      const { from, to, cursor, all } = options;
      const list = ops.cornerStores.timeline(cornerStoreId, { from, to, cursor });
      const layout = { rowsOf: rowsOfTimeline(out), columns: TIMELINE_COLUMNS };
      await printPages(out, list, layout, all);
    });
}

/** Reads the entries of a page, and notes which services are missing in it. */
function rowsOfTimeline(out: Output) {
  return ({ entries, missing }: AnswerOf<'getTimeline'>) => {
    if (missing.length > 0) out.note(`did not answer: ${missing.join(', ')}`);
    return [...entries];
  };
}

function addDecisions(stores: Command, open: OpenSession): void {
  stores
    .command('approve')
    .description('approve corner stores, one after the other; refusals are listed')
    .argument('<cornerStoreId...>', '', ids)
    .option('--reason <text>', 'why, for stores whose onboarding is incomplete')
    .addHelpText(
      'after',
      `
Examples:
  fiado corner-stores approve 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --reason "visited; papers follow"
  fiado corner-stores list --status pre-approved --all --json | jq -r .cornerStoreId \\
    | xargs fiado corner-stores approve`,
    )
    .action(async (cornerStoreIds: string[], body: { reason?: string }, command: Command) => {
      await approveAll(await open(command), cornerStoreIds, body);
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
    .action(async (cornerStoreId: string, body: { reason: string }, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.cornerStores.reject(cornerStoreId, body));
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
      const { ops, out } = await open(command);
      out.record(await ops.cornerStores.clearPhoneHold(cornerStoreId));
    });
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
