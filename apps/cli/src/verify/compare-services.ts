import { setTimeout as pause } from 'node:timers/promises';
import { MAX_VIOLATIONS, type InvariantCheck } from '@fiado/contracts/invariants';
import type { Resources } from '@fiado/ops-client/generated/resources';
import type { Schema } from '@fiado/ops-client/operations';
import { CROSS_CHECKS, DEBTS_CHECK } from './checks';
import {
  LONG_CALL,
  readCornerStoreSums,
  type CornerStoreSums,
  type Cursors,
} from './corner-store-sums';
import type { Progress } from './progress';

/**
 * The most differing stores that are read again, which bounds memory; more than that count as
 * differences.
 */
const MAX_SUSPECTS = 10_000;
/** The first page of each service. */
const BEGINNING: Cursors = { accounts: undefined, transactions: undefined, payments: undefined };
/** Time between two questions about what differs: an event takes some tenths of a second. */
const ASK_AGAIN_MS = 500;

/** A store that differs, by check, with the last values. */
interface Suspect {
  cornerStoreId: string;
  /** From where it can be read again. */
  cursors: Cursors;
  differences: Array<[check: string, difference: object]>;
}

interface CompareOptions {
  /** ISO 8601; undefined: everything is compared. */
  since: string | undefined;
  settleMs: number;
  progress: Progress;
}

/**
 * Compares the values of the services for each corner store. Events may be in transit, and the services
 * are not read at the same moment, so a difference counts only if every comparison shows it until the
 * settle time is over.
 */
export async function compareServices(
  ops: Pick<Resources, 'invariants'>,
  { since, settleMs, progress }: CompareOptions,
): Promise<InvariantCheck[]> {
  const differing: Suspect[] = [];
  for await (const { sums, cursors } of readCornerStoreSums(ops, { from: BEGINNING, since })) {
    const { cornerStoreId } = sums;
    const differences = [...differencesIn(sums)];
    if (differences.length > 0) differing.push({ cornerStoreId, cursors, differences });
    progress.compared(cornerStoreId);
  }

  const lasting = new Lasting();
  for (const suspect of differing.slice(MAX_SUSPECTS)) lasting.add(suspect);
  let suspects = differing.slice(0, MAX_SUSPECTS);
  const settledAt = Date.now() + settleMs;
  while (suspects.length > 0 && Date.now() < settledAt) {
    await pause(Math.min(ASK_AGAIN_MS, settledAt - Date.now()));
    suspects = await stillDiffering(ops, suspects, since);
  }
  for (const suspect of suspects) lasting.add(suspect);
  await lasting.nameOrders(ops, since);
  return lasting.checks();
}

function differencesIn(sums: CornerStoreSums): Map<string, object> {
  const found = CROSS_CHECKS.map(({ name, differenceIn }) => [name, differenceIn(sums)] as const);
  return new Map(found.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])));
}

/** Reads the pages of these stores again, those of one place together. */
async function stillDiffering(
  ops: Pick<Resources, 'invariants'>,
  suspects: Suspect[],
  since: string | undefined,
): Promise<Suspect[]> {
  const places = new Map<string, Map<string, Suspect>>();
  for (const suspect of suspects) {
    const place = JSON.stringify(suspect.cursors);
    const there = places.get(place) ?? new Map<string, Suspect>();
    places.set(place, there.set(suspect.cornerStoreId, suspect));
  }

  const still: Suspect[] = [];
  for (const [place, there] of places) {
    const last = [...there.keys()].at(-1) ?? '';
    const from = JSON.parse(place) as Suspect['cursors'];
    for await (const { sums } of readCornerStoreSums(ops, { from, since })) {
      if (sums.cornerStoreId > last) break;
      const suspect = there.get(sums.cornerStoreId);
      if (suspect === undefined) continue;
      const differences = inBoth(suspect.differences, differencesIn(sums));
      if (differences.length > 0) still.push({ ...suspect, differences });
    }
  }
  return still;
}

/** A check that held once is not violated, because corrupt totals do not agree by chance. */
function inBoth(before: Suspect['differences'], now: Map<string, object>): Suspect['differences'] {
  return [...now].filter(([name]) => before.some(([other]) => other === name));
}

/** Collects the differences that last, by check: the first few in full, all by their number. */
class Lasting {
  private readonly violations = new Map<string, Array<{ cornerStoreId: string }>>();

  add({ cornerStoreId, differences }: Suspect): void {
    for (const [name, difference] of differences) {
      const rows = this.violations.get(name) ?? [];
      if (rows.length < MAX_VIOLATIONS) rows.push({ cornerStoreId, ...difference });
      this.violations.set(name, rows);
    }
  }

  /** Replaces the stores whose debts differ by the orders that do. */
  async nameOrders(ops: Pick<Resources, 'invariants'>, since: string | undefined): Promise<void> {
    const named: Array<{ cornerStoreId: string }> = [];
    for (const { cornerStoreId } of this.violations.get(DEBTS_CHECK) ?? []) {
      const orders = await differingDebts(ops, { cornerStoreId, since });
      named.push(...orders.map((order) => ({ cornerStoreId, ...order })));
    }
    this.violations.set(DEBTS_CHECK, named.slice(0, MAX_VIOLATIONS));
  }

  checks(): InvariantCheck[] {
    return CROSS_CHECKS.map(({ name }) => {
      const violations = this.violations.get(name) ?? [];
      return { name, holds: violations.length === 0, violations };
    });
  }
}

type Debt = Schema<'Debt'>;

/**
 * The orders of a corner store that differ between transactions and payments, each with the values
 * that differ; null where a service does not have the order.
 */
async function differingDebts(
  { invariants }: Pick<Resources, 'invariants'>,
  question: { cornerStoreId: string; since: string | undefined },
): Promise<object[]> {
  const [transactions, payments] = await Promise.all([
    byOrder(invariants.listTransactionsDebts(question, LONG_CALL)),
    byOrder(invariants.listPaymentsDebts(question, LONG_CALL)),
  ]);
  const ids = [...new Set([...transactions.keys(), ...payments.keys()])].toSorted();
  return ids.flatMap((transactionId): object[] => {
    const [ordered, owed] = [transactions.get(transactionId), payments.get(transactionId)];
    if (ordered === undefined || owed === undefined) {
      const known = { transactions: ordered !== undefined, payments: owed !== undefined };
      return [{ transactionId, ...known }];
    }
    // What only one of the two tells is a difference.
    const fields = Object.keys({ ...ordered, ...owed }) as Array<keyof Debt>;
    const differing = fields.filter((field) => ordered[field] !== owed[field]);
    if (differing.length === 0) return [];
    const only = (debt: Debt): object =>
      Object.fromEntries(differing.map((field) => [field, debt[field]]));
    return [{ transactionId, transactions: only(ordered), payments: only(owed) }];
  });
}

async function byOrder(debts: AsyncIterable<Debt>): Promise<Map<string, Debt>> {
  const found = new Map<string, Debt>();
  for await (const debt of debts) found.set(debt.transactionId, debt);
  return found;
}
