import { StoredExportRow } from '@fiado/chassis/exports/export.entity';
import { VerificationRow } from '../codes/verification.entity';
import { CreditNoteRow } from '../credit-notes/credit-note.entity';
import { RefusedCreditNoteRow } from '../credit-notes/refused-credit-note.entity';
import { DisputeRow } from '../disputes/dispute.entity';
import { InvoiceFileRow } from '../invoices/invoice-file.entity';
import { InvoiceIssuerRow } from '../invoices/invoice-issuer.entity';
import { InvoiceRow } from '../invoices/invoice.entity';
import { SettlementLineRow } from '../statements/settlement-line.entity';
import { SettlementHeadRow } from '../statements/settlement-head.entity';
import { StatementPaymentRow } from '../statements/statement-payment.entity';
import { StatementRow } from '../statements/statement.entity';
import { TaxDocumentRow } from '../tax-documents/tax-document.entity';
import { WholesalerTaxProfileRow } from '../tax-documents/wholesaler-tax-profile.entity';

/** The tables of transactions that are read and written by key. */
export const transactionsEntities: Function[] = [
  CreditNoteRow,
  DisputeRow,
  InvoiceFileRow,
  InvoiceIssuerRow,
  InvoiceRow,
  RefusedCreditNoteRow,
  SettlementHeadRow,
  SettlementLineRow,
  StatementPaymentRow,
  StatementRow,
  StoredExportRow,
  TaxDocumentRow,
  VerificationRow,
  WholesalerTaxProfileRow,
];
