import {
  CHASSIS_PERSONAL_DATA,
  DATA_KEY_COLUMNS,
  HARMLESS,
  harmlessColumns,
  namesPerson,
  REFUSAL_COLUMNS,
  REFUSALS_PERSONAL_DATA,
  type PersonalData,
} from '@fiado/chassis/db/personal-data';
import type { ErasurePart } from '@fiado/chassis/privacy/erase-part';
import { EXPORT_COLUMNS } from '@fiado/chassis/exports/tables.sql';
import { personalTableOf } from '@fiado/chassis/db/marked-columns';
import { CreditNoteRow } from '../credit-notes/credit-note.entity';
import { RefusedCreditNoteRow } from '../credit-notes/refused-credit-note.entity';
import { DisputeRow } from '../disputes/dispute.entity';
import { InvoiceFileRow } from '../invoices/invoice-file.entity';
import { InvoiceRow } from '../invoices/invoice.entity';
import { SettlementLineRow } from '../statements/settlement-line.entity';
import { TaxDocumentRow } from '../tax-documents/tax-document.entity';

const OF_STORE = 'own.corner_store_id = person.corner_store_id';

const OF_ORDER = `own.transaction_id IN
  (SELECT id FROM transactions WHERE corner_store_id = person.corner_store_id)`;

/** The personal data of owners of corner stores in transactions. */
export const PERSONAL_DATA: PersonalData = {
  tables: [
    ...CHASSIS_PERSONAL_DATA.tables,
    REFUSALS_PERSONAL_DATA,
    {
      table: 'credit_lines',
      what: 'credit lines, with the phone that codes go to, encrypted',
      find: OF_STORE,
      kept: 'without end',
      columns: { phone_sealed: 'identity' },
    },
    {
      table: 'customers',
      what: 'the wholesalers that sell to a store, each with its own id of it',
      find: OF_STORE,
      kept: 'without end',
      columns: { external_id: 'wholesaler-names' },
    },
    {
      table: 'transactions',
      what: 'orders: amounts and dates; the place of delivery, encrypted; notes of the wholesaler',
      find: OF_STORE,
      kept: 'without end',
      columns: {
        wholesaler_transaction_id: 'wholesaler-names',
        location_sealed: 'voluntary',
        metadata: 'voluntary',
      },
    },
    {
      table: 'product_lines',
      what: 'the goods of each order',
      find: OF_ORDER,
      kept: 'without end',
      columns: { external_sku: 'money', name: 'money' },
    },
    {
      table: 'delivery_words',
      what: 'words in exchange for which the goods are handed over, encrypted',
      find: OF_ORDER,
      kept: 'without end; of an order that is cancelled or expires, until then',
      columns: { word_sealed: 'voluntary' },
    },
    // A trigger lets an erasure empty its columns, and nothing else change them.
    personalTableOf(CreditNoteRow, {
      what: 'goods that came back or cost less, with the wholesaler’s id of it',
      find: OF_ORDER,
      kept: 'without end',
    }),
    personalTableOf(RefusedCreditNoteRow, {
      what: 'credit notes that the lender refused, with the wholesaler’s id of it',
      find: OF_ORDER,
      kept: 'without end',
    }),
    personalTableOf(DisputeRow, {
      what: 'orders that a store says are not its own, with the answer of the wholesaler and the reason of the decision',
      find: OF_STORE,
      kept: 'without end',
    }),
    personalTableOf(InvoiceRow, {
      what: 'invoices: goods, amounts and their ids at the provider; in whose name they are, encrypted',
      find: OF_ORDER,
      kept: 'without end',
    }),
    personalTableOf(InvoiceFileRow, {
      what: 'stamped invoices, whole, encrypted: who sells must keep them for five years',
      find: OF_ORDER,
      kept: 'five years',
    }),
    personalTableOf(TaxDocumentRow, {
      what: 'documents about an invoice, as that it was settled: amounts and ids at the provider',
      find: OF_ORDER,
      kept: 'without end',
    }),
    personalTableOf(SettlementLineRow, {
      what: 'what the lender owes a wholesaler for each delivery, and what corrects it',
      find: OF_ORDER,
      kept: 'without end',
    }),
    {
      table: 'waiting_changes',
      what: 'changes that wait for a second person',
      find: `own.target_id = ANY (person.ids) OR ${namesPerson('own.payload')}`,
      kept: 'until they are decided',
      columns: { payload: { class: 'transient', suppress: 'expires' } },
    },
  ],
  harmless: [
    ...CHASSIS_PERSONAL_DATA.harmless,
    ...EXPORT_COLUMNS,
    ...DATA_KEY_COLUMNS,
    REFUSAL_COLUMNS,
    harmlessColumns(HARMLESS.fixed, {
      credit_entries: ['kind'],
      credit_lines: ['status', 'time_zone'],
      credit_notes: ['reason'],
      disputes: ['opened_by', 'status'],
      event_owners: ['owner_kind'],
      invoices: [
        'cancel_motive',
        'cancellation',
        'kind',
        'provider',
        'provider_status',
        'receiver',
        'status',
      ],
      invoice_issuers: ['provider', 'receipt_payment_form', 'series'],
      refused_credit_notes: ['failure', 'reason', 'status'],
      settlement_adjustments: ['kind'],
      settlement_lines: ['kind'],
      statements: ['commission_iva', 'status'],
      tax_documents: ['cancellation', 'kind', 'provider', 'provider_status', 'status'],
      transactions: ['delivery_proof', 'payment_time_zone', 'status'],
      verifications: ['status'],
      waiting_changes: ['kind'],
      wholesalers: ['settlement_every'],
    }),
    harmlessColumns(HARMLESS.party, {
      statement_payments: ['bank_reference', 'bank_reference_key'],
      wholesaler_tax_profiles: [
        'cfdi_use',
        'email',
        'legal_name',
        'postal_code',
        'rfc',
        'tax_regime',
      ],
      wholesalers: ['name'],
    }),
    harmlessColumns(HARMLESS.staff, {
      credit_notes: ['created_by'],
      disputes: ['decided_by', 'opened_by_id'],
      settlement_adjustments: ['approved_by', 'requested_by'],
      statement_payments: ['approved_by', 'paid_by', 'return_reason'],
      transactions: ['driver_id'],
      waiting_changes: ['requested_by'],
    }),
    harmlessColumns(HARMLESS.technical, { dispute_words: ['sms_id'] }),
    harmlessColumns(HARMLESS.secret, {
      invoice_issuers: ['api_key_sealed', 'webhook_secret_sealed'],
      statements: ['sha256'],
      verifications: ['code_salt', 'page_code_salt'],
    }),
  ],
};

/** Tables of transactions whose ids other services keep without a person. */
export const PERSONAL_OBJECTS = ['transactions', 'invoices'];

const LAST_MONEY = `
  SELECT max(greatest(delivered_at, paid_at)) AS at FROM transactions
   WHERE user_id = $1::uuid AND corner_store_id = $2::uuid`;

/** SQL: whether a `blocked` person has an order from after their block. */
export const ORDERED_AFTER_BLOCK = `EXISTS (
  SELECT FROM transactions o
   WHERE o.corner_store_id = blocked.corner_store_id AND o.created_at > blocked.since)`;

/** The part of transactions in the erasure of a person. */
export const ERASURE_PART: ErasurePart = {
  service: 'transactions',
  data: PERSONAL_DATA,
  objects: PERSONAL_OBJECTS,
  lastMoney: LAST_MONEY,
};
