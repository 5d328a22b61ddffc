import type { QueryRunner } from 'typeorm';

/**
 * The same sums for limits that were raised before they were kept: from the audit log, which has the old
 * and the new limit of each change and whether two people made it.
 */
export class SumEarlierRaises1798540001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH changed AS (
        SELECT id, object_id AS store_id, details ? 'changeRequestId' AS by_two,
               actor_id IN (SELECT id::text FROM staff) AS by_person,
               (details -> 'before' ->> 'creditLimitCents')::bigint AS old_cents,
               (details -> 'after' ->> 'creditLimitCents')::bigint AS new_cents
          FROM audit_log
         WHERE action = 'corner-store.changed' AND details -> 'after' ? 'creditLimitCents'
      ), approved AS (
        SELECT DISTINCT ON (store_id) store_id, id, new_cents FROM changed
         WHERE by_two ORDER BY store_id, id DESC
      ), raised AS (
        SELECT one.store_id, sum(one.new_cents - one.old_cents) AS cents,
               coalesce(min(approved.new_cents),
                        (array_agg(one.old_cents ORDER BY one.id))[1]) AS approved_cents
          FROM changed one LEFT JOIN approved ON approved.store_id = one.store_id
         WHERE one.by_person AND NOT one.by_two AND one.new_cents > one.old_cents
           AND (approved.id IS NULL OR one.id > approved.id)
         GROUP BY one.store_id
      )
      UPDATE corner_stores store
         SET raised_alone_cents = raised.cents, approved_limit_cents = raised.approved_cents
        FROM raised WHERE store.id = raised.store_id;
    `);
  }
}
