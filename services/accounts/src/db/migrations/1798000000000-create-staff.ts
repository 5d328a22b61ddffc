import type { QueryRunner } from 'typeorm';

/**
 * The lender's people, how they sign in, and their sessions. Of every token only the hash is kept.
 * One row of staff_challenges is one attempt to sign in; it is deleted when it is used.
 */
export class CreateStaff1798000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE staff (
        id          uuid PRIMARY KEY,
        email       text NOT NULL CONSTRAINT staff_email_key UNIQUE,
        name        text NOT NULL,
        role        text NOT NULL CHECK (role IN ('viewer', 'operator', 'approver', 'admin')),
        oidc_sub    text CONSTRAINT staff_oidc_sub_key UNIQUE,
        disabled_at timestamptz,
        created_at  timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE staff_invitations (
        id         uuid PRIMARY KEY,
        staff_id   uuid NOT NULL REFERENCES staff,
        token_hash bytea NOT NULL CONSTRAINT staff_invitations_token_hash_key UNIQUE,
        expires_at timestamptz NOT NULL,
        used_at    timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX staff_invitations_staff_id_idx ON staff_invitations (staff_id);
      CREATE TABLE staff_credentials (
        id           text PRIMARY KEY,
        staff_id     uuid NOT NULL REFERENCES staff,
        public_key   bytea NOT NULL,
        counter      bigint NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz
      );
      CREATE INDEX staff_credentials_staff_id_idx ON staff_credentials (staff_id);
      CREATE TABLE staff_sessions (
        id         uuid PRIMARY KEY,
        staff_id   uuid NOT NULL REFERENCES staff,
        token_hash bytea NOT NULL CONSTRAINT staff_sessions_token_hash_key UNIQUE,
        auth_time  timestamptz NOT NULL,
        idle_until timestamptz NOT NULL,
        ends_at    timestamptz NOT NULL,
        ended_at   timestamptz,
        address    text,
        agent      text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX staff_sessions_staff_id_idx ON staff_sessions (staff_id);
      CREATE TABLE staff_challenges (
        hash          bytea PRIMARY KEY,
        purpose       text NOT NULL CHECK (purpose IN ('enrol', 'sign-in', 'identity-provider')),
        staff_id      uuid REFERENCES staff,
        state         text,
        nonce         text,
        code_verifier text,
        max_age       integer,
        expires_at    timestamptz NOT NULL
      );
      CREATE INDEX staff_challenges_expires_at_idx ON staff_challenges (expires_at);
    `);
  }
}
