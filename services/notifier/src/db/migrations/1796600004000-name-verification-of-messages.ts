import type { QueryRunner } from 'typeorm';

/** Whose code a message carries: an integrator finds the SMS of a verification in the sandbox. */
export class NameVerificationOfMessages1796600004000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ADD COLUMN verification_id uuid');
  }
}
