import { LONG_LIVED_ROWS, setStorage } from '@fiado/chassis/db/tune-autovacuum';
import type { QueryRunner } from 'typeorm';

/** Debts and deposits change a few times and are kept, notices for 90 days. */
export class TuneAutovacuum1798601001000 {
  up(runner: QueryRunner): Promise<void> {
    return setStorage(runner, LONG_LIVED_ROWS, ['receivables', 'deposits', 'notices']);
  }
}
