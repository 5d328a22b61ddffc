import { ChangeRequested } from '@fiado/contracts/change-requests';
import { ops } from '@fiado/chassis/testing/callers';
import { approveCornerStore } from '../../services/accounts/src/corner-stores/approve-corner-store';
import { createWholesaler } from '../../services/accounts/src/wholesalers/create-wholesaler';
import { importCustomers } from '../../services/accounts/src/corner-stores/import-customers';
import { deliveryOfAll } from './commands/messages';
import { beginHistory, perform, type History } from './history';
import {
  INSTALLATION_ZONE,
  type Model,
  type ModelStore,
  type Settings,
  type Terms,
} from './model/model';
import type { System } from './system/system';
import type { StoreOfWorld, World } from './world';

/**
 * Settings as accounts takes them. Delivery words are off, because their checks have tests of their own: so each
 * delivery is unproven, and held for the payment term.
 */
export function settingsOf(settings: Settings) {
  return {
    minimumTransactionCents: settings.minimumCents,
    commissionRate: settings.commissionRate,
    paymentTermDays: settings.paymentTermDays,
    confirmationRequired: settings.confirmationRequired,
    deliveryOverageRate: settings.overageRate,
    holdUnprovenDays: settings.paymentTermDays,
    deliveryWordEnabled: false,
    deliveryWordRequired: false,
  };
}

/** The name by which every wholesaler calls the store of that position. */
function externalIdOf(at: number): string {
  return `tienda-${at}`;
}

/** Empties the databases and brings the product to the drawn beginning. */
export async function begin(system: System, world: World): Promise<History> {
  const { database, accounts } = system;
  await database.clear();
  await database.setTime(world.start);
  Object.assign(system, { now: world.start, accountsUp: true });

  const [first, second] = await Promise.all(
    world.wholesalers.map(async (settings, at) => {
      const name = `Mayorista ${at + 1}`;
      const command = { by: ops(), name, settings: settingsOf(settings) };
      return made(await createWholesaler(accounts, command)).wholesaler.wholesalerId;
    }),
  );
  if (first === undefined || second === undefined) throw new Error('A world has two wholesalers');
  const ids = await importStores(system, first, world.stores, () => true);
  await importStores(system, second, world.stores, ({ buysFromBoth }) => buysFromBoth);
  await Promise.all(
    world.stores.map(async ({ approved }, at) => {
      if (!approved) return;
      await approveCornerStore(accounts, { by: ops(), cornerStoreId: ids[at] ?? '' });
    }),
  );

  const history = await beginHistory(system, modelOf(world, { first, second, stores: ids }));
  if (world.copied) await perform(history, deliveryOfAll(history));
  return history;
}

async function importStores(
  { accounts }: System,
  wholesalerId: string,
  stores: StoreOfWorld[],
  isIncluded: (store: StoreOfWorld) => boolean,
): Promise<string[]> {
  const rows = stores.flatMap((store, at) => {
    if (!isIncluded(store)) return [];
    const { limitCents: creditLimitCents, interestRate } = store;
    const phone = `+52551234567${at}`;
    const externalId = externalIdOf(at);
    const name = { firstName: 'Ana', lastNames: 'López' };
    return [{ ...name, externalId, phone, creditLimitCents, interestRate }];
  });
  if (rows.length === 0) return [];
  const imported = await importCustomers(accounts, { by: ops(), wholesalerId, rows });
  return made(imported).map(({ cornerStoreId }) => cornerStoreId);
}

/** What a key makes at once. */
export function made<Result>(result: Result | ChangeRequested): Result {
  if (result instanceof ChangeRequested) throw new Error('A key waits for a second person');
  return result;
}

/** What accounts published on the way: the import, the second wholesaler's link, the approval. */
function modelOf(
  { start, wholesalers, stores }: World,
  ids: { first: string; second: string; stores: string[] },
): Model {
  const storeOf = (drawn: StoreOfWorld, at: number): ModelStore => {
    const { limitCents, interestRate } = drawn;
    const imported: Terms = {
      status: 'pre-approved',
      limitCents,
      interestRate,
      timeZone: INSTALLATION_ZONE,
      customerOf: [ids.first],
      phoneChanges: [{ count: 0, heldUntil: 0 }],
      phoneUnprovenBy: null,
    };
    const versions = [imported];
    if (drawn.buysFromBoth) {
      const none = { count: 0, heldUntil: 0 };
      const customerOf = [ids.first, ids.second].toSorted();
      versions.push({ ...imported, customerOf, phoneChanges: [none, none] });
    }
    if (drawn.approved) versions.push({ ...(versions.at(-1) ?? imported), status: 'approved' });
    return {
      id: ids.stores[at] ?? '',
      externalId: externalIdOf(at),
      versions,
      copied: 0,
      usedCents: 0,
      wrongCodes: new Map(),
      changesBeforeHold: new Map(),
      phoneChanges: [],
      defaults: [],
      defaultsSeen: { transactions: 0, accounts: 0 },
      balanceCents: 0,
      coins: [],
      hasReference: false,
    };
  };
  return {
    now: start,
    accountsUp: true,
    wholesalers: new Map([
      [ids.first, { versions: [wholesalers[0]], copied: 0 }],
      [ids.second, { versions: [wholesalers[1]], copied: 0 }],
    ]),
    stores: new Map(stores.map(storeOf).map((store) => [store.id, store])),
    orders: new Map(),
    debts: new Map(),
    deposits: new Map(),
    disputes: new Map(),
    lines: new Map(),
    statements: new Map(),
    waitingCredits: new Map(),
    settledNotes: new Set(),
    received: new Set(),
  };
}
