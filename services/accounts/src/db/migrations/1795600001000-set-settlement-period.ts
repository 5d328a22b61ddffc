import type { QueryRunner } from 'typeorm';

/** When the statements of a wholesaler close. */
export class SetSettlementPeriod1795600001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wholesalers
        ADD COLUMN settlement_every text NOT NULL DEFAULT 'weekly'
          CHECK (settlement_every IN ('daily', 'weekly', 'on-demand'))
    `);
  }
}
