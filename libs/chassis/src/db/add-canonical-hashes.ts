import type { QueryRunner } from 'typeorm';

/**
 * What a request is compared by (ADR 72). Null beside an answer of the previous release, which
 * compares the bytes in request_hash, and still reads them.
 */
export class AddCanonicalHashes1798580000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys ADD COLUMN canonical_hash bytea');
  }
}
