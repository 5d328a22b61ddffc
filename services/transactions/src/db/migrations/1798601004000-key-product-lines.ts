import type { QueryRunner } from 'typeorm';

/** No statement finds a product line by its id: its transaction and position are the key. */
export class KeyProductLines1798601004000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE product_lines
        DROP CONSTRAINT product_lines_pkey,
        -- As the primary key was, for logical replication.
        REPLICA IDENTITY USING INDEX product_lines_transaction_id_position_key
    `);
  }
}
