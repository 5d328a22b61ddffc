import { LONG_LIVED_ROWS, setStorage } from '@fiado/chassis/db/tune-autovacuum';
import type { QueryRunner } from 'typeorm';

/** Orders change four times, in weeks, and are kept. */
export class TuneAutovacuum1798601001000 {
  up(runner: QueryRunner): Promise<void> {
    return setStorage(runner, LONG_LIVED_ROWS, ['transactions', 'verifications', 'delivery_words']);
  }
}
