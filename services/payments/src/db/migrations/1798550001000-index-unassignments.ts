import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { QueryRunner } from 'typeorm';

/** A deposit pays a debt, and a store gets a message about it, once between two unassignments. */
export class IndexUnassignments1798550001000 {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'allocations_once_each',
      'ON allocations (deposit_id, receivable_id, unassignments)',
      { unique: true },
    );
    await runner.query('ALTER TABLE allocations DROP CONSTRAINT IF EXISTS allocations_once');
    await createIndexConcurrently(
      runner,
      'notices_once_each',
      'ON notices (subject_id, kind, unassignments)',
      { unique: true },
    );
    await runner.query('ALTER TABLE notices DROP CONSTRAINT IF EXISTS notices_subject_id_kind_key');
  }
}
