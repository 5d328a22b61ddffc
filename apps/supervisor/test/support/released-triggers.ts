/**
 * The triggers of version 1.0.0, by their schema. `migrate` leaves a trigger that is there as it is: where the one of
 * today differs, a migration has to replace it.
 */
export const TRIGGERS_OF_1_0_0: Record<string, string[]> = {
  accounts: [
    `CREATE TRIGGER announce_corner_store AFTER UPDATE ON corner_stores FOR EACH ROW
       WHEN (OLD.status <> NEW.status OR OLD.overdue <> NEW.overdue
             OR OLD.credit_limit_cents <> NEW.credit_limit_cents
             OR OLD.onboarding_steps <> NEW.onboarding_steps)
       EXECUTE FUNCTION announce_corner_store()`,
    `CREATE TRIGGER announce_verification AFTER UPDATE ON verifications FOR EACH ROW
       WHEN (OLD.status <> NEW.status AND NEW.status = 'approved')
       EXECUTE FUNCTION announce_verification()`,
    `CREATE TRIGGER await_chain AFTER INSERT ON audit_log
       REFERENCING NEW TABLE AS inserted
       FOR EACH STATEMENT EXECUTE FUNCTION await_chain()`,
  ],
  transactions: [
    `CREATE TRIGGER announce_created_transactions AFTER INSERT ON transactions
       REFERENCING NEW TABLE AS created FOR EACH STATEMENT
       EXECUTE FUNCTION announce_created_transactions()`,
    `CREATE TRIGGER announce_transaction AFTER UPDATE ON transactions FOR EACH ROW
       WHEN (OLD.status <> NEW.status)
       EXECUTE FUNCTION announce_transaction()`,
    `CREATE TRIGGER date_change BEFORE UPDATE ON transactions FOR EACH ROW
       WHEN (OLD.location_sealed IS NULL
             OR OLD.location_sealed IS NOT DISTINCT FROM NEW.location_sealed)
       EXECUTE FUNCTION date_change()`,
    `CREATE TRIGGER announce_invoice AFTER UPDATE ON invoices FOR EACH ROW
       WHEN (OLD.status <> NEW.status AND NEW.status IN ('issued', 'failed'))
       EXECUTE FUNCTION announce_invoice()`,
    `CREATE TRIGGER date_delivery_words BEFORE UPDATE ON wholesalers FOR EACH ROW
       WHEN (NEW.delivery_word_enabled AND NOT OLD.delivery_word_enabled)
       EXECUTE FUNCTION date_delivery_words()`,
  ],
  payments: [
    `CREATE TRIGGER announce_payment AFTER UPDATE ON receivables FOR EACH ROW
       WHEN (NEW.paid_principal_cents + NEW.paid_interest_cents + NEW.paid_iva_cents
          <> OLD.paid_principal_cents + OLD.paid_interest_cents + OLD.paid_iva_cents)
       EXECUTE FUNCTION announce_payment()`,
    `CREATE TRIGGER announce_opened_default AFTER INSERT ON payment_defaults FOR EACH ROW
       EXECUTE FUNCTION announce_default()`,
    `CREATE TRIGGER announce_closed_default AFTER UPDATE ON payment_defaults FOR EACH ROW
       WHEN (OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL)
       EXECUTE FUNCTION announce_default()`,
    `CREATE TRIGGER announce_deposit AFTER UPDATE ON deposits FOR EACH ROW
       WHEN (OLD.status <> NEW.status)
       EXECUTE FUNCTION announce_deposit()`,
  ],
  notifier: [
    `CREATE TRIGGER announce_failed_message BEFORE UPDATE ON messages FOR EACH ROW
       WHEN (NEW.status IN ('failed', 'unknown', 'expired') AND OLD.status <> NEW.status
             AND NOT OLD.failure_announced)
       EXECUTE FUNCTION announce_failed_message()`,
  ],
};
