/** SQL of a migration: which deposits are signed, and the defaults that these withdraw. */
export const CREATE_DEFAULT_WITHDRAWALS = `
  ALTER TABLE deposits ADD COLUMN is_signed boolean NOT NULL DEFAULT false;
  CREATE TABLE default_withdrawals (
    default_id    uuid PRIMARY KEY REFERENCES payment_defaults,
    receivable_id uuid NOT NULL REFERENCES receivables,
    -- Whose fechaPago shows it.
    deposit_id    uuid NOT NULL REFERENCES deposits,
    withdrawn_at  timestamptz NOT NULL DEFAULT now()
  );
  ALTER TABLE notices
    DROP CONSTRAINT notices_kind_check,
    ADD CONSTRAINT notices_kind_check CHECK (kind IN ('delivered', 'payment-received',
      'payment-reversed', 'payment-due', 'payment-overdue', 'order-credited',
      'default-withdrawn')) NOT VALID;`;
