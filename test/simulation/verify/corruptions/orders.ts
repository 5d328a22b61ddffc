import { of, OTHER, outboxRow, type Corruption } from './corruption';

export const ORDERS: Corruption[] = [
  {
    name: 'a credit note whose line is gone',
    plant: `DELETE FROM transactions.settlement_lines WHERE source_id = $creditNote`,
    reportedBy: ['transactions', 'credit notes are numbered'],
  },
  {
    name: 'a credit note of another price than its goods',
    plant: `UPDATE transactions.credit_notes SET interest_cents = interest_cents + 1
             WHERE id = $creditNote`,
    reportedBy: ['transactions', 'credit notes are numbered'],
  },
  {
    name: 'a credit note of another commission than its goods',
    plant: `UPDATE transactions.credit_notes SET commission_cents = commission_cents - 1
             WHERE id = $creditNote`,
    reportedBy: ['transactions', 'credit notes are numbered'],
  },
  {
    name: 'a credit note that was deleted',
    plant: `DELETE FROM transactions.credit_notes WHERE id = $creditNote`,
    reportedBy: ['transactions', 'credit notes are numbered'],
  },
  {
    name: 'a credit note of an order that was not delivered',
    plant: `UPDATE transactions.credit_notes SET transaction_id = $held, number = 1
             WHERE id = $creditNote`,
    reportedBy: ['transactions', 'credit notes are numbered'],
  },
  {
    name: 'an order on hold that nobody confirmed',
    plant: `UPDATE transactions.transactions SET status = 'on-hold' WHERE id = $pending`,
    reportedBy: ['transactions', 'its verification agree'],
  },
  {
    name: 'a confirmed order whose verification is gone',
    plant: `DELETE FROM transactions.verifications WHERE ${of('held')}`,
    reportedBy: ['transactions', 'its verification agree'],
  },
  {
    name: 'a pending order whose code is approved',
    plant: `UPDATE transactions.verifications SET status = 'approved', approved_at = simulated.now()
             WHERE ${of('pending')}`,
    reportedBy: ['transactions', 'its verification agree'],
  },
  {
    name: 'an order on hold without its delivery word',
    plant: `DELETE FROM transactions.delivery_words WHERE ${of('held')};
            UPDATE transactions.wholesalers
               SET delivery_words_since = simulated.now() - interval '1 day'`,
    reportedBy: ['transactions', 'has its delivery word'],
  },
  {
    name: 'an item of a batch without its delivery word',
    plant: `DELETE FROM transactions.delivery_words WHERE ${of('batched')};
            UPDATE transactions.wholesalers
               SET delivery_words_since = simulated.now() - interval '1 day'`,
    reportedBy: ['transactions', 'has its delivery word'],
  },
  {
    name: 'a delivery word of an order that nobody confirmed',
    plant: `UPDATE transactions.delivery_words SET transaction_id = $pending WHERE ${of('held')}`,
    reportedBy: ['transactions', 'no order has a delivery word before'],
  },
  {
    name: 'an order without product lines',
    plant: `DELETE FROM transactions.product_lines WHERE ${of('held')}`,
    reportedBy: ['transactions', 'its product lines'],
  },
  {
    name: 'an order without its first product line',
    plant: `DELETE FROM transactions.product_lines WHERE ${of('held')} AND position = 0`,
    reportedBy: ['transactions', 'its product lines'],
  },
  {
    name: 'an invoice without lines',
    plant: `UPDATE transactions.invoices SET products = '[]' WHERE ${of('paid')}`,
    reportedBy: ['transactions', 'each invoice has its lines'],
  },
  {
    name: 'an issued invoice that no provider issued',
    plant: `UPDATE transactions.invoices SET status = 'issued', provider_invoice_id = NULL
             WHERE ${of('paid')}`,
    reportedBy: ['transactions', 'each invoice has its lines'],
  },
  {
    name: 'a stamped invoice without its file',
    plant: `UPDATE transactions.invoices
               SET kind = 'invoice', provider = 'facturapi', status = 'issued', uuid = gen_random_uuid(),
                   issued_at = simulated.now(), provider_invoice_id = 'inv_1' WHERE ${of('paid')}`,
    reportedBy: ['transactions', 'each stamped invoice has its file'],
  },
  {
    name: 'a second stamped invoice of an order',
    plant: `INSERT INTO transactions.invoice_files (id, transaction_id, uuid, xml_sealed, sha256)
            SELECT ${OTHER}, $paid, 'a', '\\x00', decode(repeat('00', 32), 'hex')`,
    reportedBy: ['transactions', 'an order has one stamped invoice'],
  },
  {
    name: 'an invoice that was replaced and is not cancelled',
    plant: `INSERT INTO transactions.invoice_files (id, transaction_id, uuid, xml_sealed, sha256)
            SELECT ${OTHER}, $paid, 'a', '\\x00', decode(repeat('00', 32), 'hex');
            INSERT INTO transactions.tax_documents
              (id, kind, wholesaler_id, transaction_id, document_id, cents, netted_cents, provider, status, issued_at,
               provider_document_id, uuid)
            SELECT ${OTHER}, 'invoice', $north, $paid, ${OTHER}, 1, 0, 'facturapi', 'issued', simulated.now(), 'inv_3', 'a'`,
    reportedBy: ['transactions', 'an order has one stamped invoice'],
  },
  {
    name: 'a payment complement of an invoice whose statement is not paid',
    plant: `UPDATE transactions.invoices SET kind = 'invoice' WHERE ${of('paid')};
            INSERT INTO transactions.tax_documents
              (kind, wholesaler_id, statement_id, transaction_id, invoice_id, document_id, cents, netted_cents, provider)
            SELECT 'payment', $north, $nextStatement, transaction_id, id, id, 1, 0, provider
              FROM transactions.invoices WHERE ${of('paid')};
            UPDATE transactions.tax_documents SET document_id = id`,
    reportedBy: ['transactions', 'payment complements of an invoice add up'],
  },
  {
    name: 'a credit note (CFDI) of an invoice that bills what its order is',
    plant: `INSERT INTO transactions.tax_documents
              (kind, wholesaler_id, transaction_id, invoice_id, document_id, cents, netted_cents, provider)
            SELECT 'credit-note', $north, transaction_id, id, id, 1, 0, provider
              FROM transactions.invoices WHERE ${of('paid')};
            UPDATE transactions.tax_documents SET document_id = id`,
    reportedBy: ['transactions', 'credit notes of an invoice take no more'],
  },
  {
    name: 'an issued payment complement without its file',
    plant: `INSERT INTO transactions.tax_documents
              (kind, wholesaler_id, statement_id, transaction_id, invoice_id, document_id, cents, netted_cents, provider,
               status, issued_at, provider_document_id, uuid)
            SELECT 'payment', $north, $nextStatement, transaction_id, id, id, 1, 0, 'facturapi', 'issued',
                   simulated.now(), 'inv_2', gen_random_uuid()
              FROM transactions.invoices WHERE ${of('paid')};
            UPDATE transactions.tax_documents SET document_id = id`,
    reportedBy: ['transactions', 'each issued tax document has its file'],
  },
  {
    name: 'a receipt that bills more than its order, of which nobody asks a correction',
    plant: `UPDATE transactions.invoices
               SET products = '[{"product": {"price": 100000}, "quantity": 1}]', status = 'issued',
                   issued_at = simulated.now(), provider_invoice_id = 'rec_1' WHERE ${of('paid')}`,
    reportedBy: ['transactions', 'each invoice has its lines'],
  },
  {
    name: 'a commission that was lowered',
    plant: `UPDATE transactions.commissions SET amount_cents = 1 WHERE ${of('held')}`,
    reportedBy: ['transactions', 'that share of the amount'],
  },
  {
    name: 'a commission that was voided',
    plant: `UPDATE transactions.commissions SET voided_at = simulated.now() WHERE ${of('held')}`,
    reportedBy: ['transactions', 'has one active commission'],
  },
  {
    name: 'a delivery before its order',
    plant: `UPDATE transactions.transactions SET delivered_at = created_at - interval '1 day'
             WHERE id = $unpaid`,
    reportedBy: ['transactions', 'the dates of a transaction'],
  },
  {
    name: 'a due date that its terms do not give, in both services',
    plant: `UPDATE transactions.transactions
               SET payment_due_at = payment_due_at + interval '7 days',
                   payment_due_on = payment_due_on + 7 WHERE id = $unpaid;
            UPDATE payments.receivables
               SET due_at = due_at + interval '7 days', due_on = due_on + 7 WHERE ${of('unpaid')}`,
    reportedBy: ['transactions', 'is due as the terms say'],
  },
  {
    name: 'a due date in a time zone that there is not',
    plant: `UPDATE transactions.transactions SET payment_time_zone = 'Mars/Base' WHERE id = $unpaid`,
    reportedBy: ['transactions', 'is due as the terms say'],
  },
  {
    name: 'a hold that stays open past its end',
    plant: `UPDATE transactions.transactions SET expires_at = simulated.now() - interval '11 minutes'
             WHERE id = $held`,
    reportedBy: ['transactions', 'minutes after its expiry'],
  },
  {
    name: 'a copy of a store with the phone of another',
    plant: `UPDATE transactions.credit_lines
               SET phone_sealed = (SELECT phone_sealed FROM transactions.credit_lines
                                    WHERE corner_store_id = $payer)
             WHERE corner_store_id = $buyer`,
    reportedBy: ['across', 'the phone number and the version'],
  },
  {
    name: 'a copy of a store with a later version',
    plant: `UPDATE transactions.credit_lines SET version = version + 100
             WHERE corner_store_id = $buyer`,
    reportedBy: ['across', 'the phone number and the version'],
  },
  {
    name: 'a copy of a store with another user',
    plant: `UPDATE transactions.credit_lines SET user_id = $payerUser WHERE corner_store_id = $newcomer`,
    reportedBy: ['across', 'the same user in each service'],
  },
  {
    name: 'a copy of a store that is not frozen',
    plant: `UPDATE transactions.credit_lines SET overdue = false WHERE corner_store_id = $debtor`,
    reportedBy: ['across', 'the overdue status'],
  },
  {
    name: 'a phone hold that is over too early',
    plant: `UPDATE transactions.customers SET phone_held_until = NULL WHERE corner_store_id = $payer`,
    reportedBy: ['across', 'customer links'],
  },
  {
    name: 'a job of transactions that its queue lost two hours ago',
    plant: outboxRow('transactions', { enqueued_at: `simulated.now() - interval '2 hours'` }),
    reportedBy: ['transactions', 'older than 1 hour'],
  },
  {
    name: 'a dead letter of transactions',
    plant: outboxRow('transactions', {
      enqueued_at: 'simulated.now()',
      dead_at: 'simulated.now()',
    }),
    reportedBy: ['transactions', 'dead letter'],
  },
  {
    name: 'a delivery word that does not open',
    plant: `UPDATE transactions.delivery_words SET word_sealed = '\\x00' WHERE ${of('held')}`,
    reportedBy: ['transactions', 'opens for it'],
  },
  {
    name: 'a delivery word of another order',
    plant: `UPDATE transactions.delivery_words
               SET word_sealed = (SELECT word_sealed FROM transactions.delivery_words
                                   WHERE ${of('batched')})
             WHERE ${of('held')}`,
    reportedBy: ['transactions', 'opens for it'],
  },
  {
    name: 'an order that would ignore its next payments',
    plant: `UPDATE transactions.transactions SET receivable_version = receivable_version + 50
             WHERE id = $unpaid`,
    reportedBy: ['across', 'each delivered order is equal'],
  },
  {
    name: 'an order that would ignore its next default',
    plant: `UPDATE transactions.transactions SET default_version = default_version + 50
             WHERE id = $unpaid`,
    reportedBy: ['transactions', 'no order knows of later defaults'],
  },
  {
    name: 'a copy of a store that would ignore its next default',
    plant: `UPDATE transactions.credit_lines SET overdue_version = overdue_version + 50
             WHERE corner_store_id = $debtor`,
    reportedBy: ['across', 'the overdue status'],
  },
  {
    name: 'a copy of a wholesaler that would ignore its next settings',
    plant: `UPDATE transactions.wholesalers SET version = version + 50 WHERE wholesaler_id = $north`,
    reportedBy: ['across', "wholesalers' settings"],
  },
  {
    name: 'a commission of another rate',
    plant: `UPDATE transactions.commissions SET rate = 0.5 WHERE ${of('held')}`,
    reportedBy: ['transactions', 'has the rate of its transaction'],
  },
  {
    name: 'an order that was due before its delivery',
    plant: `UPDATE transactions.transactions SET payment_due_at = delivered_at - interval '1 day'
             WHERE id = $unpaid`,
    reportedBy: ['transactions', 'the dates of a transaction'],
  },
  {
    name: 'an order that expired before it was made',
    plant: `UPDATE transactions.transactions SET expires_at = created_at - interval '1 day'
             WHERE id = $unpaid`,
    reportedBy: ['transactions', 'the dates of a transaction'],
  },
  {
    name: 'an order of tomorrow',
    plant: `UPDATE transactions.transactions SET created_at = simulated.now() + interval '1 day'
             WHERE id = $held`,
    reportedBy: ['transactions', 'the dates of a transaction'],
  },
  {
    name: 'an order of a store that is no customer any more',
    plant: `DELETE FROM transactions.customers
             WHERE corner_store_id = $buyer AND wholesaler_id = $south`,
    reportedBy: ['transactions', 'belongs to the user of its line'],
  },
  {
    name: 'an order of a wholesaler that is gone',
    plant: `DELETE FROM transactions.wholesalers WHERE wholesaler_id = $south`,
    reportedBy: ['transactions', 'belongs to the user of its line'],
  },
  {
    name: 'a cancelled order whose code still counts',
    plant: `UPDATE transactions.verifications SET status = 'pending', approved_at = NULL
             WHERE ${of('cancelled')}`,
    reportedBy: ['transactions', 'its verification agree'],
  },
  {
    name: 'an approved code without its time',
    plant: `UPDATE transactions.verifications SET approved_at = NULL WHERE ${of('held')}`,
    reportedBy: ['transactions', 'its verification agree'],
  },
  {
    name: 'a code that was approved before its order',
    plant: `UPDATE transactions.verifications SET approved_at = approved_at - interval '1 day'
             WHERE ${of('held')}`,
    reportedBy: ['transactions', 'its verification agree'],
  },
  {
    name: 'an order with a gap in its product lines',
    plant: `UPDATE transactions.product_lines SET position = 2 WHERE ${of('held')} AND position = 1`,
    reportedBy: ['transactions', 'its product lines'],
  },
  {
    name: 'a delivery word of an order that was cancelled',
    plant: `UPDATE transactions.delivery_words SET transaction_id = $cancelled WHERE ${of('held')}`,
    reportedBy: ['transactions', 'no order has a delivery word before'],
  },
];
