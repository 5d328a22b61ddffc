import type { QueryRunner } from 'typeorm';

/**
 * Since when a wholesaler has delivery words on, so that `fiado verify` can tell an order that lost
 * its word from one that was confirmed without. Kept by the table itself, so that the release before
 * keeps it too. Orders of the time before this migration are not checked.
 */
export class DateDeliveryWords1798560000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wholesalers ADD COLUMN delivery_words_since timestamptz NOT NULL DEFAULT now();

      CREATE FUNCTION date_delivery_words() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.delivery_words_since := now();
        RETURN NEW;
      END $$;
      CREATE TRIGGER date_delivery_words BEFORE UPDATE ON wholesalers FOR EACH ROW
        WHEN (NEW.delivery_word_enabled AND NOT OLD.delivery_word_enabled)
        EXECUTE FUNCTION date_delivery_words();
    `);
  }
}
