import type { QueryRunner } from 'typeorm';

const TABLES = ['credit_entries', 'product_lines', 'commissions'];

/** New rows lie side by side in their index (ADR 13); the ids that there are stay as they are. */
export class OrderIdsByTime1795500000000 {
  up(runner: QueryRunner): Promise<void> {
    return setDefault(runner, 'uuidv7()');
  }
}

async function setDefault(runner: QueryRunner, draw: string): Promise<void> {
  for (const table of TABLES) {
    await runner.query(`ALTER TABLE ${table} ALTER COLUMN id SET DEFAULT ${draw}`);
  }
}
