import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a payment provider proves beside its key that a call is its own. */
export class LetProvidersSign1795640002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_providers
        -- Addresses and networks that may call; empty is any.
        ADD allowed_addresses       text[] NOT NULL DEFAULT '{}',
        ADD signature_required      boolean NOT NULL DEFAULT false,
        -- Sealed. The one before the newest is valid until its time.
        ADD signing_secret          bytea,
        ADD previous_signing_secret bytea,
        ADD previous_secret_until   timestamptz,
        ADD CONSTRAINT signs_with_a_secret
          CHECK (NOT signature_required OR signing_secret IS NOT NULL);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_providers
        DROP allowed_addresses, DROP signature_required, DROP signing_secret,
        DROP previous_signing_secret, DROP previous_secret_until;
    `);
  }
}
