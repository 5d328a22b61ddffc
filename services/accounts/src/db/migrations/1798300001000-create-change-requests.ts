import type { QueryRunner } from 'typeorm';

/** Changes that wait for a second person, and why an incomplete store was approved. */
export class CreateChangeRequests1798300001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_requests (
        id              uuid PRIMARY KEY,
        kind            text NOT NULL,
        target_id       uuid,
        -- Null where the change does not depend on the state of its target.
        target_version  bigint,
        payload         jsonb NOT NULL,
        before          jsonb NOT NULL,
        reason          text,
        requested_by    text NOT NULL,
        requested_at    timestamptz NOT NULL DEFAULT now(),
        status          text NOT NULL DEFAULT 'pending' CHECK (status IN
                          ('pending', 'approved', 'rejected', 'expired', 'executed', 'failed')),
        decided_by      text CHECK (decided_by <> requested_by),
        decision_reason text,
        decided_at      timestamptz,
        failure         text,
        expires_at      timestamptz NOT NULL,
        CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
        CHECK (status IN ('pending', 'expired') OR decided_by IS NOT NULL),
        CHECK ((status = 'failed') = (failure IS NOT NULL))
      );
      CREATE UNIQUE INDEX change_requests_open_target ON change_requests (kind, target_id)
        WHERE status IN ('pending', 'approved') AND target_version IS NOT NULL;
      CREATE INDEX change_requests_open ON change_requests (expires_at)
        WHERE status IN ('pending', 'approved');
      CREATE INDEX change_requests_of_status ON change_requests (status, id);

      ALTER TABLE corner_stores ADD COLUMN approval_reason text;
    `);
  }
}
