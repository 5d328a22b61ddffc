import type { QueryRunner } from 'typeorm';
import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';

/** What ops decides on deposits: to assign an unmatched one, or to reverse one by new rows. */
export class DecideDeposits1763677000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE deposits
        DROP CONSTRAINT deposits_status_check,
        DROP CONSTRAINT deposits_check,
        ADD CONSTRAINT deposits_status_check
          CHECK (status IN ('received', 'applied', 'unmatched', 'reversed')),
        -- A reversed deposit keeps the user whose debt it had paid.
        ADD CONSTRAINT applied_to_a_user CHECK (status <> 'applied' OR user_id IS NOT NULL);
      ALTER TABLE receivable_entries
        DROP CONSTRAINT receivable_entries_cause_check,
        ADD CONSTRAINT receivable_entries_cause_check
          CHECK (cause IN ('opened', 'payment', 'reversal'));
      ALTER TABLE credit_balance_entries
        DROP CONSTRAINT credit_balance_entries_cause_check,
        ADD CONSTRAINT credit_balance_entries_cause_check
          CHECK (cause IN ('surplus', 'spent', 'returned', 'reversal'));
      CREATE INDEX receivable_entries_of_allocation ON receivable_entries (allocation_id);

      CREATE TABLE deposit_decisions (
        deposit_id      uuid NOT NULL REFERENCES deposits,
        decision        text NOT NULL CHECK (decision IN ('assigned', 'reversed')),
        decided_by      text NOT NULL,
        corner_store_id uuid,
        reason          text,
        decided_at      timestamptz NOT NULL DEFAULT now(),
        -- Each decision can be taken once.
        PRIMARY KEY (deposit_id, decision),
        CHECK ((decision = 'assigned') = (corner_store_id IS NOT NULL)),
        CHECK ((decision = 'reversed') = (reason IS NOT NULL))
      );
    `);
    await makeAppendOnly(runner, 'deposit_decisions', roleOf('payments'));
  }
}
