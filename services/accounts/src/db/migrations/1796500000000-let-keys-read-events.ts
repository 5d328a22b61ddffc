import type { QueryRunner } from 'typeorm';

/**
 * Keys without a list of scopes may do all that keys of their kind may, so they have the new ones.
 * A key whose list named every scope of its kind gets them too. A narrower key stays as narrow.
 */
export class LetKeysReadEvents1796500000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE api_keys SET scopes = scopes || ARRAY['webhooks:read', 'webhooks:write']
       WHERE NOT scopes && ARRAY['webhooks:read', 'webhooks:write']
         AND (scopes @> ARRAY['accounts:write', 'corner-stores:read', 'transactions:read',
                              'transactions:write', 'payments:read']
              OR scopes @> ARRAY['deposits:write']);
    `);
  }
}
