import type { QueryRunner } from 'typeorm';

/** Ends the requests of erased persons: earlier releases left them open, and nobody could answer them. */
export class EndRequestsOfErasedPersons1797300000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE privacy_requests r
         SET status = 'refused', outcome = 'refused', reason_code = 'no-data',
             answered_by = 'accounts', answered_at = now()
        FROM corner_stores s
       WHERE s.user_id = r.user_id AND s.erased_at IS NOT NULL
         AND r.status IN ('open', 'executing')
         AND NOT EXISTS (SELECT FROM erasures e WHERE e.request_id = r.id)`);
  }
}
