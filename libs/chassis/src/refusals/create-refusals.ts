import type { QueryRunner } from 'typeorm';

/**
 * Refused requests of wholesalers: at most 1,000 rows of each in a day, and the number of all. For
 * each schema whose service takes orders or onboards (ADR 51). Both are kept for 30 days.
 */
export class CreateRefusals1798100010000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE refusals (
        id              uuid PRIMARY KEY,
        refused_at      timestamptz NOT NULL,
        wholesaler_id   uuid NOT NULL,
        -- A customer of the wholesaler, where the request names one.
        corner_store_id uuid,
        operation       text NOT NULL,
        error_code      text NOT NULL,
        request_id      text NOT NULL,
        -- As they were sent: never personal data.
        ids             jsonb NOT NULL
      );
      CREATE INDEX refusals_of_corner_store ON refusals (corner_store_id, refused_at)
        WHERE corner_store_id IS NOT NULL;
      CREATE INDEX refusals_of_wholesaler ON refusals (wholesaler_id, refused_at);
      CREATE INDEX refusals_by_age ON refusals (refused_at);

      CREATE TABLE refusal_counts (
        wholesaler_id uuid NOT NULL,
        -- In UTC.
        day           date NOT NULL,
        refused       bigint NOT NULL,
        PRIMARY KEY (wholesaler_id, day)
      );
      CREATE INDEX refusal_counts_by_age ON refusal_counts (day);
    `);
  }
}
