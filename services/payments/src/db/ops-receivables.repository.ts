import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { Due } from '../domain/due-day';
import type { ReceivableStatus } from '../domain/receivable-status';

/** What is still to pay of a row of receivables, in cents. The index receivables_outstanding has it. */
export const OUTSTANDING = `(principal_cents + interest_cents + iva_cents
          - paid_principal_cents - paid_interest_cents - paid_iva_cents)`;

/** A debt as ops sees it. Amounts in cents. */
export interface OpsReceivable extends Due {
  id: string;
  transactionId: string;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  idFactura: string;
  numeroReferencia: string;
  principalCents: number;
  interestCents: number;
  ivaCents: number;
  outstandingCents: number;
  openedAt: Date;
  paidAt: Date | null;
  inDefault: boolean;
}

/** Columns of an OpsReceivable, of receivables joined with credit_balances. */
export const OPS_RECEIVABLE = `
  receivables.id, transaction_id, wholesaler_id, receivables.corner_store_id,
  receivables.user_id, external_id, id_factura, numero_referencia, principal_cents, interest_cents,
  iva_cents, ${OUTSTANDING} AS outstanding_cents, due_at, due_on::text AS "dueOn",
  time_zone, opened_at, paid_at, in_default`;

export interface OpsReceivableFilter {
  wholesalerId: string | undefined;
  cornerStoreId: string | undefined;
  transactionId: string | undefined;
  status: ReceivableStatus | undefined;
  /** Only of an open status: due before this time. */
  dueBefore: Date | undefined;
}

interface ListReceivables {
  filter: OpsReceivableFilter;
  /** The time by which a receivable is overdue. */
  now: Date;
  /** Whether one may be in default before it is due: in a sandbox. */
  defaultsEarly: boolean;
  /** Id of the last receivable of the page before. */
  cursor: string | undefined;
  limit: number;
}

const STATUS_CONDITIONS: Record<ReceivableStatus, string> = {
  paid: 'paid_at IS NOT NULL',
  pending: 'paid_at IS NULL AND NOT in_default AND due_at >= $4',
  overdue: 'paid_at IS NULL AND (in_default OR due_at < $4) AND ($5 OR due_at < $4)',
};

/** Receivables: the open ones by their last day, else the newest first. */
export function listOpsReceivables(
  db: Db,
  { filter, now, defaultsEarly, cursor, limit }: ListReceivables,
): Promise<OpsReceivable[]> {
  const { status } = filter;
  const byDueDate = status === 'pending' || status === 'overdue';
  const [place, after, order] = byDueDate
    ? ['due_at, receivables.id', '>', 'due_at, receivables.id']
    : ['opened_at, receivables.id', '<', 'opened_at DESC, receivables.id DESC'];
  return query<OpsReceivable>(
    db,
    `SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id)
      WHERE ($1::uuid IS NULL OR wholesaler_id = $1)
        AND ($2::uuid IS NULL OR receivables.corner_store_id = $2)
        AND ($3::uuid IS NULL OR transaction_id = $3)
        AND ($4::timestamptz IS NOT NULL AND $5::boolean IS NOT NULL)
        AND ${status === undefined ? 'true' : STATUS_CONDITIONS[status]}
        AND ($6::timestamptz IS NULL OR due_at < $6)
        AND ($7::uuid IS NULL OR (${place}) ${after}
              (SELECT ${place} FROM receivables WHERE id = $7))
      ORDER BY ${order} LIMIT $8`,
    [
      filter.wholesalerId ?? null,
      filter.cornerStoreId ?? null,
      filter.transactionId ?? null,
      now,
      defaultsEarly,
      filter.dueBefore ?? null,
      cursor ?? null,
      limit,
    ],
  );
}

export function findOpsReceivable(
  db: Db,
  receivableId: string,
): Promise<OpsReceivable | undefined> {
  return queryRow<OpsReceivable>(
    db,
    `SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id) WHERE receivables.id = $1`,
    [receivableId],
  );
}

export const RECEIVABLE_CAUSES = ['opened', 'payment', 'reversal'] as const;

/** One change of what is owed of a receivable, in cents: negative for a payment. */
export interface ReceivableEntry {
  version: number;
  cause: (typeof RECEIVABLE_CAUSES)[number];
  allocationId: string | null;
  principalCents: number;
  interestCents: number;
  ivaCents: number;
  createdAt: Date;
}

/** Entries and allocations of a receivable that are shown; one has a few. */
const MAX_SHOWN = 200;

/** The ledger of a receivable, oldest first. */
export function findReceivableEntries(db: Db, receivableId: string): Promise<ReceivableEntry[]> {
  return query<ReceivableEntry>(
    db,
    `SELECT version, cause, allocation_id, principal_cents, interest_cents, iva_cents, created_at
       FROM receivable_entries WHERE receivable_id = $1 ORDER BY version LIMIT ${MAX_SHOWN}`,
    [receivableId],
  );
}

/** Money that reached a receivable, in cents: of a deposit, or of its user's credit balance. */
export interface ReceivableAllocation {
  id: string;
  receivableId: string;
  transactionId: string;
  idFactura: string;
  /** Null for money of the credit balance. */
  depositId: string | null;
  principalCents: number;
  interestCents: number;
  ivaCents: number;
  /** How much of it was taken back. */
  reversedCents: number;
  createdAt: Date;
}

/** The allocations to a receivable, or of a deposit, oldest first. */
export function findAllocations(
  db: Db,
  of: { receivableId: string } | { depositId: string },
): Promise<ReceivableAllocation[]> {
  const [column, id] =
    'receivableId' in of
      ? (['receivable_id', of.receivableId] as const)
      : (['deposit_id', of.depositId] as const);
  return query<ReceivableAllocation>(
    db,
    `SELECT allocation.id, receivable_id, transaction_id, id_factura, deposit_id,
            allocation.principal_cents, allocation.interest_cents, allocation.iva_cents,
            (SELECT coalesce(sum(entry.principal_cents + entry.interest_cents + entry.iva_cents), 0)
               FROM receivable_entries entry
              WHERE entry.allocation_id = allocation.id AND entry.cause = 'reversal')::bigint
              AS reversed_cents,
            allocation.created_at
       FROM allocations allocation JOIN receivables ON receivables.id = receivable_id
      WHERE allocation.${column} = $1
      ORDER BY allocation.created_at, allocation.id LIMIT ${MAX_SHOWN}`,
    [id],
  );
}
