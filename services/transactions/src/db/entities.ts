import { VerificationRow } from '../codes/verification.entity';
import { CreditNoteRow } from '../credit-notes/credit-note.entity';
import { RefusedCreditNoteRow } from '../credit-notes/refused-credit-note.entity';
import { InvoiceRow } from '../invoices/invoice.entity';
import { SettlementLineRow } from '../statements/settlement-line.entity';

/** The tables of transactions that are read and written by key. */
export const transactionsEntities: Function[] = [
  CreditNoteRow,
  InvoiceRow,
  RefusedCreditNoteRow,
  SettlementLineRow,
  VerificationRow,
];
