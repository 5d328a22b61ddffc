import type { QueryRunner } from 'typeorm';

/** A key allows what its scopes name; without scopes, all that keys of its kind may. */
export class LetKeysHaveScopes1763600002000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys ALTER COLUMN scopes DROP NOT NULL, ALTER COLUMN scopes DROP DEFAULT;
      UPDATE api_keys SET scopes = NULL;
      -- Null, and never the empty list, says "all": a list that lost its last scope must not.
      ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_named CHECK (cardinality(scopes) > 0);
    `);
  }
}
