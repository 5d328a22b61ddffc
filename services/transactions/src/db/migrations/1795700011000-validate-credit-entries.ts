import type { QueryRunner } from 'typeorm';

/** Reads the ledger, and stops no writer meanwhile. */
export class ValidateCreditEntries1795700011000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credit_entries VALIDATE CONSTRAINT credit_entries_kind_check');
  }
}
