import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { CREDIT_NOTE_REASONS } from '@fiado/contracts/credit-notes';
import { EXAMPLE_CREDIT_NOTE } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import type { Price } from '../orders/pricing.rules';
import type { CreditNoteRow } from './credit-note.entity';

/** Goods of a delivered order that came back or cost less: a row of credit_notes. Cents. */
export interface CreditNote
  extends
    Price,
    Pick<CreditNoteRow, keyof Price | 'id' | 'transactionId' | 'reason' | 'createdAt'> {
  /** 1, 2, 3 … of its order. */
  number: CreditNoteRow['number'];
  /** Price of the goods. */
  principalCents: CreditNoteRow['principalCents'];
  /** The wholesaler's own id of it. */
  reference: CreditNoteRow['reference'];
  /** Id of the credential or the person. */
  createdBy: CreditNoteRow['createdBy'];
  /** Whether an invoice of the order bills what this takes off. */
  isInvoiced: boolean;
}

/** Columns of a CreditNote, of rows `note`. A failed invoice is replaced, and bills nothing; one in somebody's name gets a credit note. */
export const CREDIT_NOTE_COLUMNS = `note.id, note.transaction_id, note.number, note.principal_cents,
  note.interest_cents, note.iva_cents, note.commission_cents, note.reason, note.reference,
  note.created_by, note.created_at,
  EXISTS (SELECT FROM invoices i WHERE i.id = note.invoice_id AND i.status <> 'failed')
    AND NOT EXISTS (SELECT FROM tax_documents d
                     WHERE d.transaction_id = note.transaction_id AND d.kind = 'credit-note'
                       AND d.status = 'issued' AND d.created_at >= note.created_at)
    AS "isInvoiced"`;

export const creditNoteAnswer = t.object('CreditNote', {
  creditNoteId: fields.creditNoteId,
  transactionId: fields.transactionId,
  amount: t.field(t.pesos, 'Price of the goods that are credited, without interest and IVA', 120),
  interests: t.field(t.pesos, 'Interest that is no longer owed', 6),
  IVAAmount: t.field(t.pesos, 'Value-added tax on that interest', 0.96),
  totalAmount: t.field(
    t.pesos,
    'Sum of `amount`, `interests` and `IVAAmount`: what the corner store owes less',
    126.96,
  ),
  commission: t.field(t.pesos, 'Commission on these goods, which the lender gives back', 2.4),
  reason: t.field(t.oneOf(CREDIT_NOTE_REASONS), 'Why the goods are credited', 'return'),
  reference: t.textOrNull('The wholesaler’s own id of the credit note', 'DEV-1201'),
  invoiceAction: t.field(
    t.nullable(t.constant('credit-note-due')),
    '`credit-note-due`: the invoice of the order was made before, and bills these goods. One that bills more than is ' +
      'left is made anew or, in the name of the store, gets a credit note (CFDI), and this becomes null; one whose `cancellation` is `rejected` has to be corrected by its ' +
      'issuer. Null when there was no invoice yet',
    'credit-note-due',
  ),
  createdAt: t.time('Time of the credit note', '2026-11-26T17:10:00.000Z'),
});

export const exampleCreditNote: t.ExampleOf<typeof creditNoteAnswer> = {
  ...EXAMPLE_CREDIT_NOTE,
  reason: 'return',
};

export function presentCreditNote(note: CreditNote): t.AnswerOf<typeof creditNoteAnswer> {
  const { principalCents, interestCents, ivaCents } = note;
  return t.presentRow(creditNoteAnswer, note, {
    creditNoteId: note.id,
    amount: amountOf(principalCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    totalAmount: amountOf(principalCents + interestCents + ivaCents),
    commission: amountOf(note.commissionCents),
    invoiceAction: note.isInvoiced ? ('credit-note-due' as const) : null,
  });
}

/** The credit notes of an order, oldest first. */
export function findCreditNotes(db: Db, transactionId: string): Promise<CreditNote[]> {
  return query<CreditNote>(
    db,
    `SELECT ${CREDIT_NOTE_COLUMNS} FROM credit_notes note WHERE note.transaction_id = $1 ORDER BY note.number`,
    [transactionId],
  );
}

/** The sum of the credit notes of an order, without interest and IVA, in cents. */
export async function creditedCentsOf(db: Db, transactionId: string): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    db,
    `SELECT coalesce(sum(principal_cents), 0)::bigint AS cents FROM credit_notes
      WHERE transaction_id = $1`,
    [transactionId],
  );
  return cents;
}
