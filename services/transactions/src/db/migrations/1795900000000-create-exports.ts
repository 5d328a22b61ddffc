import type { QueryRunner } from 'typeorm';
import { CREATE_EXPORTS } from '@fiado/chassis/exports/tables.sql';

/** Files of rows, made in the background for ops. */
export class CreateExports1795900000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_EXPORTS);
  }
}
