import { LONG_LIVED_ROWS, setStorage } from '@fiado/chassis/db/tune-autovacuum';
import type { QueryRunner } from 'typeorm';

/** Messages change three times in a minute and are kept for 90 days, events for 30. */
export class TuneAutovacuum1798601001000 {
  up(runner: QueryRunner): Promise<void> {
    return setStorage(runner, LONG_LIVED_ROWS, ['messages', 'events', 'webhook_deliveries']);
  }
}
