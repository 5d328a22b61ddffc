import type { KeptRows } from '@fiado/chassis/db/erase-person';
import type { ErasurePhase } from '@fiado/contracts/jobs/privacy';
import type { Erasure, ErasurePart } from './erasures.sql';

/** What of a person is kept after a step, and by which law. */
const KEPT: Record<ErasurePhase, { what: string; basis: string }> = {
  block: {
    what: 'identity, images of approved stores, orders, debts, payments and their texts',
    basis: 'LFPIORPI, art. 18; Código Fiscal de la Federación, art. 30',
  },
  suppress: {
    what: 'orders, debts, payments, references and invoices: ids and amounts that name nobody',
    basis: 'Código Fiscal de la Federación, art. 30',
  },
};
const KEPT_PROOF = {
  what: 'consents and the audit log: ids',
  basis: 'LFPDPPP: proof of what was done',
  until: null,
};

/** Days after which a copy ends by itself. */
const ENDING = [
  { what: 'copies of SMS at the SMS provider, which is asked until it has deleted them', days: 1 },
  { what: 'exports with ids of wholesalers, and copies for persons', days: 3 },
  { what: 'jobs in queues and in the outbox, but those that fail until they are done', days: 7 },
  { what: 'encrypted answers to repeated requests', days: 1 },
  { what: 'events about the erasure itself', days: 30 },
  { what: 'backups and archived WAL, if the lender keeps them 35 days', days: 35 },
];

const DAY_MS = 24 * 60 * 60 * 1000;

interface WhatIsKept {
  now: Date;
  /** Of a block, when its data are erased. */
  until: Date | null;
  /** Rows in accounts. */
  kept: KeptRows;
}

/**
 * The report of a step as JSON, with counts and no value of the person. The same parts at the same time give
 * the same text.
 */
export function writeReport(
  { id, phase, userId, cornerStoreId }: Erasure,
  parts: ErasurePart[],
  { now, until, kept }: WhatIsKept,
): string {
  const rows = parts.reduce((sum, { keptRows }) => sum + keptRows, kept.data);
  return JSON.stringify({
    erasureId: id,
    phase,
    userId,
    cornerStoreId,
    doneAt: now.toISOString(),
    erased: parts.flatMap(({ service, rows: columns }) =>
      columns.map(({ table, column, rows }) => ({ service, table, column, rows })),
    ),
    kept: [
      { ...KEPT[phase], rows, until: until?.toISOString() ?? null },
      { ...KEPT_PROOF, rows: kept.audit },
    ],
    ending: ENDING.map(({ what, days }) => ({
      what,
      endsAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    })),
  });
}
