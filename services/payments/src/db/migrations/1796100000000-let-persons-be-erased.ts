import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';
import { REFUSE_ALL_BUT_BLANKING, REFUSE_ALL_BUT_RENAMING } from '../triggers.sql';

const ROLE = roleOf('payments');

/**
 * Texts of append-only tables may become empty, and the wholesaler's id of a store in a default may
 * become one that names nobody. Nothing else of these rows may change.
 */
export class LetPersonsBeErased1796100000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REFUSE_ALL_BUT_BLANKING);
    for (const [table, column] of [
      ['deposit_conflicts', 'body'],
      ['deposit_decisions', 'reason'],
    ]) {
      await runner.query(`
        CREATE OR REPLACE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION refuse_all_but_blanking('${column}');
        REVOKE UPDATE, DELETE ON ${table} FROM ${ROLE};
        GRANT UPDATE (${column}) ON ${table} TO ${ROLE}
      `);
    }
    await runner.query(REFUSE_ALL_BUT_RENAMING);
    await runner.query(`
      CREATE TRIGGER external_id_is_kept BEFORE UPDATE OF external_id ON payment_defaults
        FOR EACH ROW EXECUTE FUNCTION refuse_all_but_renaming();
      GRANT UPDATE (external_id) ON payment_defaults TO ${ROLE}
    `);
  }
}
