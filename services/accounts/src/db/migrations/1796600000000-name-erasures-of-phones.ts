import type { QueryRunner } from 'typeorm';

/** Tells which erasure a phone belonged to, so that a check can look for what is left under it. */
export class NameErasuresOfPhones1796600000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erased_phones ADD COLUMN erasure_id uuid');
  }
}
