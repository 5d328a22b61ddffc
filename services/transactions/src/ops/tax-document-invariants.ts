import type { Invariant } from '@fiado/chassis/invariants/scans';
import { BILLED_CENTS, IS_LIVE } from '../db/tax-documents.sql';
import { KEEPS_FILE } from '../invoices/invoice-file.entity';

/** SQL: what credit notes (CFDI) of an invoice `i` take off it. */
export const CREDITED_BY_DOCUMENTS = `
  SELECT coalesce(sum(cents), 0) AS cents FROM tax_documents
   WHERE transaction_id = i.transaction_id AND invoice_id = i.id AND kind = 'credit-note' AND ${IS_LIVE}`;

/** Checks of orders with the ids $1. */
export const TAX_DOCUMENTS_OF_ORDERS: Invariant[] = [
  {
    name: 'payment complements of an invoice add up to what its paid statement settles of it, and no more than it bills',
    violations: `
      SELECT i.id AS "invoiceId", i.transaction_id, delivery.statement_id, settled.cents AS "settledCents",
             billed.cents AS "billedCents", complement.cents AS "complementsCents", complement.elsewhere
        FROM invoices i
        LEFT JOIN settlement_lines delivery
          ON delivery.kind = 'delivery' AND delivery.source_id = i.transaction_id
        LEFT JOIN statements s ON s.id = delivery.statement_id AND s.status = 'paid'
       CROSS JOIN LATERAL (SELECT ${BILLED_CENTS} AS cents) billed
       CROSS JOIN LATERAL (
         SELECT CASE WHEN s.id IS NULL THEN 0 ELSE greatest(delivery.gross_cents + coalesce(sum(gross_cents), 0), 0) END AS cents
           FROM settlement_lines
          WHERE transaction_id = i.transaction_id AND kind = 'credit-note' AND statement_id = s.id) settled
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(cents), 0) AS cents,
                count(*) FILTER (WHERE invoice_id <> i.id OR statement_id IS DISTINCT FROM s.id) AS elsewhere
           FROM tax_documents
          WHERE transaction_id = i.transaction_id AND kind = 'payment' AND ${IS_LIVE}) complement
       WHERE i.transaction_id = ANY($1)
         AND (complement.cents, complement.elsewhere) IS DISTINCT FROM
             (CASE WHEN i.kind = 'invoice' AND i.status = 'issued' AND i.cancellation <> 'accepted'
                   THEN least(settled.cents, billed.cents) ELSE 0 END, 0::bigint)`,
  },
  {
    name: 'credit notes of an invoice take no more off than it bills too much',
    violations: `
      SELECT i.id AS "invoiceId", i.transaction_id, billed.cents AS "billedCents", t.amount_cents, note.cents AS "notesCents",
             credited.cents AS "documentsCents"
        FROM invoices i JOIN transactions t ON t.id = i.transaction_id
       CROSS JOIN LATERAL (SELECT ${BILLED_CENTS} AS cents) billed
       CROSS JOIN LATERAL (SELECT coalesce(sum(principal_cents), 0) AS cents FROM credit_notes
                            WHERE transaction_id = t.id) note
       CROSS JOIN LATERAL (${CREDITED_BY_DOCUMENTS}) credited
       WHERE i.transaction_id = ANY($1) AND credited.cents > 0
         AND credited.cents > billed.cents - (t.amount_cents - note.cents)`,
  },
  {
    name: 'an order has one stamped invoice, and those that it replaced are cancelled',
    violations: `
      SELECT file.id AS "invoiceId", file.transaction_id, file.uuid, d.cancellation
        FROM invoice_files file LEFT JOIN tax_documents d ON d.id = file.id
       WHERE file.transaction_id = ANY($1)
         AND (d.id IS NULL OR d.kind = 'invoice' AND d.cancellation <> 'accepted')
         AND NOT EXISTS (SELECT FROM invoices i WHERE i.id = file.id)`,
  },
  {
    name: 'each issued tax document has its file, and its rows agree',
    violations: `
      SELECT d.id AS "taxDocumentId", d.transaction_id, d.status, d.uuid
        FROM tax_documents d LEFT JOIN tax_documents first ON first.id = d.document_id
        LEFT JOIN invoice_files file ON file.id = d.document_id AND file.uuid = d.uuid
       WHERE d.transaction_id = ANY($1)
         AND ((d.status, d.cancellation, d.statement_id, d.uuid)
                IS DISTINCT FROM (first.status, first.cancellation, first.statement_id, first.uuid)
              OR (d.status = 'issued') <> (d.issued_at IS NOT NULL AND d.provider_document_id IS NOT NULL)
              OR d.status = 'issued' AND d.provider <> 'local' AND file.id IS NULL
                 AND d.issued_at ${KEEPS_FILE})`,
  },
];
