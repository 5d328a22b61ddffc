import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Invariant } from '@fiado/chassis/invariants/scans';
import {
  type KnownChange,
  type KnownChanges,
  knownChangesCall,
} from '@fiado/contracts/known-changes';
import type { SettlementLineRow } from '../statements/settlement-line.entity';
import type { CreditNoteRow } from '../credit-notes/credit-note.entity';
import type { StatementPaymentRow } from '../statements/statement-payment.entity';

/** A request that waits is known to accounts a moment later; a job is delivered within this time, or reported. */
const TOLD_AFTER = '1 hour';

const MADE = ['approved', 'executed'];

interface Decided {
  id: string;
  /** Accounts may not have the entry of the audit log yet. */
  isNew: boolean;
  requestedBy: string | null;
  approvedBy: string | null;
}

function isDecision({ status, requestedBy, decidedBy }: KnownChange, made: Decided): boolean {
  return MADE.includes(status) && requestedBy === made.requestedBy && decidedBy === made.approvedBy;
}

/** Reads from accounts the changes with these ids or targets, and all adjustments of these wholesalers. */
type Known = (ids: string[], wholesalerIds?: string[]) => Promise<KnownChanges>;

/** A check of adjustments with the ids $1. */
const adjustments = (known: Known): Invariant => ({
  name: 'each adjustment is as people asked for it and approved it in accounts',
  violations: async (db, ids) => {
    const rows = await query<
      Decided &
        Pick<SettlementLineRow, 'wholesalerId' | 'transactionId'> & {
          lineId: string | null;
          kind: string;
          amountCents: number;
        }
    >(
      db,
      `SELECT id, wholesaler_id, transaction_id, kind, amount_cents, requested_by, approved_by,
              created_at > now() - interval '${TOLD_AFTER}' AS "isNew",
              (SELECT line.id FROM settlement_lines line
                WHERE line.kind = a.kind AND line.source_id = a.id) AS "lineId"
         FROM settlement_adjustments a WHERE id = ANY($1) AND requested_by IS NOT NULL`,
      [ids],
    );
    if (rows.length === 0) return [];
    const { changes, actions } = await known(
      rows.flatMap(({ id, lineId }) => [id, ...(lineId === null ? [] : [lineId])]),
    );
    return rows
      .filter((row) => {
        if (row.approvedBy === null) {
          return (
            !row.isNew &&
            !actions.some(
              (one) => one.objectId === row.lineId && one.action === 'settlement.adjusted',
            )
          );
        }
        const change = changes.find((one) => one.changeRequestId === row.id);
        return !(
          change?.kind === 'settlement.adjust' &&
          isDecision(change, row) &&
          change.payload.wholesalerId === row.wholesalerId &&
          (change.payload.transactionId ?? null) === row.transactionId &&
          change.payload.kind === row.kind &&
          change.payload.amountCents === row.amountCents
        );
      })
      .map(({ id: adjustmentId, wholesalerId, amountCents }) => ({
        adjustmentId,
        wholesalerId,
        amountCents,
      }));
  },
});

/** A check of wholesalers with the ids $1. */
const made = (known: Known): Invariant => ({
  name: 'each adjustment that accounts knows as made is kept',
  violations: async (db, wholesalerIds) => {
    const { changes } = await known([], wholesalerIds);
    const ids = changes.map(({ changeRequestId }) => changeRequestId);
    return query(
      db,
      `SELECT id AS "changeRequestId" FROM unnest($1::uuid[]) AS id
        WHERE NOT EXISTS (SELECT FROM settlement_adjustments a WHERE a.id = id.id)`,
      [ids],
    );
  },
});

/** A check of statements with the ids $1. */
const payments = (known: Known): Invariant => ({
  name: 'each payment of a statement is as people asked for it and approved it in accounts',
  violations: async (db, ids) => {
    const rows = await query<
      Pick<Decided, 'isNew'> & {
        id: StatementPaymentRow['statementId'];
        requestedBy: StatementPaymentRow['paidBy'];
      } & Pick<StatementPaymentRow, 'approvedBy' | 'bankReference' | 'paidOn'>
    >(
      db,
      `SELECT statement_id AS id, bank_reference, paid_on::text AS "paidOn",
              paid_by AS "requestedBy", approved_by,
              recorded_at > now() - interval '${TOLD_AFTER}' AS "isNew"
         FROM statement_payments WHERE statement_id = ANY($1)`,
      [ids],
    );
    if (rows.length === 0) return [];
    const { changes, actions } = await known(rows.map(({ id }) => id));
    return rows
      .filter((row) =>
        row.approvedBy === null
          ? !row.isNew &&
            !actions.some((one) => one.objectId === row.id && one.action === 'statement.paid')
          : !changes.some(
              (change) =>
                change.kind === 'statement.pay' &&
                change.targetId === row.id &&
                isDecision(change, row) &&
                change.payload.bankReference === row.bankReference &&
                change.payload.paidOn === row.paidOn,
            ),
      )
      .map(({ id: statementId, paidOn }) => ({ statementId, paidOn }));
  },
});

/** A check of orders with the ids $1. */
const notes = (known: Known): Invariant => ({
  name: 'no credit note that ops gave is shown as its wholesaler’s',
  violations: async (db, ids) => {
    const rows = await query<Pick<CreditNoteRow, 'transactionId'> & { id: string }>(
      db,
      `SELECT n.id, n.transaction_id FROM credit_notes n JOIN transactions t ON t.id = n.transaction_id
        WHERE t.id = ANY($1) AND n.created_by = t.wholesaler_id::text`,
      [ids],
    );
    if (rows.length === 0) return [];
    const { actions } = await known([...new Set(rows.map(({ transactionId }) => transactionId))]);
    const given = new Set(
      actions
        .filter(({ action }) => action === 'credit-note.given')
        .map(({ details }) => details.creditNoteId),
    );
    return rows.filter(({ id }) => given.has(id)).map(({ id: creditNoteId }) => ({ creditNoteId }));
  },
});

async function unknownChanges(db: Db, known: Known): Promise<object[]> {
  const rows = await query<{ changeRequestId: string; kind: string }>(
    db,
    `SELECT change_request_id, kind FROM waiting_changes
      WHERE requested_at < now() - interval '${TOLD_AFTER}' ORDER BY requested_at LIMIT 1000`,
  );
  if (rows.length === 0) return [];
  const { changes } = await known(rows.map(({ changeRequestId }) => changeRequestId));
  const ids = new Set(changes.map(({ changeRequestId }) => changeRequestId));
  return rows.filter(({ changeRequestId }) => !ids.has(changeRequestId));
}

/**
 * Every movement of a wholesaler’s money was decided by two people, or by one where that is enough: accounts has the
 * requests and the audit log.
 */
export function approvalInvariants(accounts: Pick<InternalClient, 'ask'>) {
  const known: Known = (ids, wholesalerIds = []) =>
    accounts.ask(knownChangesCall, { ids, wholesalerIds });
  return {
    adjustments: adjustments(known),
    made: made(known),
    payments: payments(known),
    notes: notes(known),
    waiting: {
      name: 'accounts knows each change that waits',
      violations: (db: Db) => unknownChanges(db, known),
    },
  };
}
