import type { QueryRunner } from 'typeorm';

/**
 * Answers of e3 were kept with the phone in the clear, and could not be opened now that they are
 * sealed. Without its kept answer such a request is done again, which changes nothing.
 */
export class ForgetUnsealedPhones1795400000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM idempotency_keys WHERE body LIKE '%"phoneNumber"%'`);
  }
}
