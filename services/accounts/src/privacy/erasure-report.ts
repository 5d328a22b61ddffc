import type { Erasure, ErasurePart } from './erasures.sql';

/** What of a person is kept after the suppression, and by which law. */
const KEPT_AFTER_ALL = [
  {
    what: 'orders, debts, payments, references and invoices: ids and amounts that name nobody',
    basis: 'Código Fiscal de la Federación, art. 30',
  },
  { what: 'consents and the audit log: ids', basis: 'LFPDPPP: proof of what was done' },
];

const KEPT_WHILE_BLOCKED = [
  {
    what: 'identity, images of approved stores, orders, debts, payments and their texts',
    basis: 'LFPIORPI, art. 18; Código Fiscal de la Federación, art. 30',
  },
];

/** Days after which a copy ends by itself. */
const ENDING = [
  { what: 'copies of SMS at the SMS provider, which is asked until it has deleted them', days: 1 },
  { what: 'jobs in queues and in the outbox', days: 7 },
  { what: 'encrypted answers to repeated requests', days: 1 },
  { what: 'events about the erasure itself', days: 30 },
  { what: 'backups and archived WAL, if the lender keeps them 35 days', days: 35 },
];

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The report of a step as JSON, with counts and no value of the person. The same parts at the same time give
 * the same text.
 * @param until of a block, when its data are erased
 */
export function writeReport(
  { id, phase, userId, cornerStoreId }: Erasure,
  parts: ErasurePart[],
  { now, until }: { now: Date; until: Date | null },
): string {
  const kept = phase === 'block' ? KEPT_WHILE_BLOCKED : KEPT_AFTER_ALL;
  return JSON.stringify({
    erasureId: id,
    phase,
    userId,
    cornerStoreId,
    doneAt: now.toISOString(),
    erased: parts.flatMap(({ service, rows: columns }) =>
      columns.map(({ table, column, rows }) => ({ service, table, column, rows })),
    ),
    kept: kept.map((one) => ({ ...one, until: until?.toISOString() ?? null })),
    ending: ENDING.map(({ what, days }) => ({
      what,
      endsAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    })),
  });
}
