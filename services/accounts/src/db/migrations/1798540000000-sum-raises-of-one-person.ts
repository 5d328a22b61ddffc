import type { QueryRunner } from 'typeorm';

/**
 * How far people raised a corner store's limit one at a time, rows of an import that waits for a second
 * person, and requests that end undecided because their object was changed.
 */
export class SumRaisesOfOnePerson1798540000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE corner_stores
        -- The limit that two people approved last, else the imported one. Null: it never changed.
        ADD COLUMN approved_limit_cents bigint,
        -- Sum of the raises by one person since then; see domain/guarded-terms.ts.
        ADD COLUMN raised_alone_cents   bigint NOT NULL DEFAULT 0 CHECK (raised_alone_cents >= 0);

      -- An approved change of an earlier version is not made.
      ALTER TABLE payment_providers ADD COLUMN version bigint NOT NULL DEFAULT 1;

      ALTER TABLE change_requests
        -- What the change needs and the log must not keep: personal data. Null once it is over.
        ADD COLUMN sealed_payload bytea,
        DROP CONSTRAINT change_requests_check2,
        ADD CONSTRAINT change_requests_decided
          CHECK (status IN ('pending', 'expired', 'failed') OR decided_by IS NOT NULL);
    `);
  }
}
