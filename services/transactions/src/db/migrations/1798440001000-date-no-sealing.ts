import type { QueryRunner } from 'typeorm';

/**
 * A place of delivery that is sealed with another key is no change of its order: integrators would
 * read all orders again. A delivery sets the place once, where there was none.
 */
export class DateNoSealing1798440001000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE TRIGGER date_change BEFORE UPDATE ON transactions FOR EACH ROW
        WHEN (OLD.location_sealed IS NULL
              OR OLD.location_sealed IS NOT DISTINCT FROM NEW.location_sealed)
        EXECUTE FUNCTION date_change();
    `);
  }
}
