import { createIndexConcurrently } from '@fiado/chassis/db/create-index-concurrently';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each upload counts those of its wholesaler in the last day. */
export class IndexUploadsOfWholesaler1795640003000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'onboarding_documents_of_wholesaler',
      'ON onboarding_documents (wholesaler_id, created_at) INCLUDE (size_bytes)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY onboarding_documents_of_wholesaler');
  }
}
