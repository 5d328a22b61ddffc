import type { QueryRunner } from 'typeorm';

/** The time zone of a corner store where it is not the installation's: messages come in its day. */
export class LetStoresHaveTimeZones1797200001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE corner_stores ADD COLUMN time_zone text');
  }
}
