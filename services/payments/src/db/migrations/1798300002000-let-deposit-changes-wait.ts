import type { QueryRunner } from 'typeorm';

/** Changes of deposits that wait for a second person, whose decision accounts keeps. */
export class LetDepositChangesWait1798300002000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deposit_changes (
        deposit_id        uuid PRIMARY KEY REFERENCES deposits,
        change_request_id uuid NOT NULL UNIQUE,
        kind              text NOT NULL CHECK (kind IN ('deposit.reverse', 'deposit.assign')),
        payload           jsonb NOT NULL,
        deposit_version   integer NOT NULL,
        requested_by      text NOT NULL,
        requested_at      timestamptz NOT NULL DEFAULT now()
      );
    `);
  }
}
