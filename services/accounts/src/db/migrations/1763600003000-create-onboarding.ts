import type { QueryRunner } from 'typeorm';

/** What a corner store tells of itself, the images it shows, and the links to do so. */
export class CreateOnboarding1763600003000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE corner_stores
        -- Steps taken so far (spec e4), each once.
        ADD onboarding_steps text[] NOT NULL DEFAULT '{}',
        -- Sealed: the name, which has a step of its own, and the rest as JSON.
        ADD name             bytea,
        ADD information      bytea;

      CREATE TABLE onboarding_documents (
        id              uuid PRIMARY KEY,
        corner_store_id uuid NOT NULL REFERENCES corner_stores,
        -- Who sent it, and under which verification.
        wholesaler_id   uuid NOT NULL REFERENCES wholesalers,
        verification_id uuid NOT NULL REFERENCES verifications,
        step            text NOT NULL,
        -- Of the image as it was sent; size and dimensions are those of the image that is kept.
        sha256          bytea NOT NULL,
        size_bytes      integer NOT NULL,
        width           integer NOT NULL,
        height          integer NOT NULL,
        storage_key     text NOT NULL UNIQUE,
        created_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT onboarding_documents_image_key UNIQUE (corner_store_id, step, sha256)
      );

      CREATE TABLE kyc_links (
        id              uuid PRIMARY KEY,
        verification_id uuid NOT NULL REFERENCES verifications,
        -- Of the token in the link, which is kept nowhere.
        token_hash      bytea NOT NULL,
        expires_at      timestamptz NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT kyc_links_token_hash_key UNIQUE (token_hash)
      );
      CREATE INDEX kyc_links_verification ON kyc_links (verification_id);
    `);
  }
}
