import type { MixedList } from 'typeorm';
import { AddCanonicalHashes1798580000000 } from './add-canonical-hashes';
import { CreateChassisTables1700000000000 } from './chassis-tables';
import { IndexDeadJobs1795200000000 } from './index-dead-jobs';
import { KeepTraceparents1798430000000 } from './keep-traceparents';
import {
  DropOutboxToRelay1798530002000,
  IndexWaitingJobs1798530001000,
  RetryRefusedJobs1798530000000,
} from './share-outbox';
import { TuneAutovacuum1798601000000 } from './tune-autovacuum';
import { TraceOutbox1795400001000 } from './trace-outbox';

/** A schema as its service and its migrate command know it. */
export interface Schema {
  /** Name of the schema and, prefixed with fiado_, of its login role. */
  name: string;
  /** The service's own, listed by hand, oldest first. */
  migrations: MixedList<Function>;
}

/** Of the tables that every schema has, oldest first. */
const CHASSIS_MIGRATIONS: Function[] = [
  CreateChassisTables1700000000000,
  IndexDeadJobs1795200000000,
  TraceOutbox1795400001000,
  KeepTraceparents1798430000000,
  RetryRefusedJobs1798530000000,
  IndexWaitingJobs1798530001000,
  DropOutboxToRelay1798530002000,
  AddCanonicalHashes1798580000000,
  TuneAutovacuum1798601000000,
];

/**
 * All migrations of a schema. The chassis adds those of the tables that every schema has, so that a
 * new one reaches every service.
 */
export function migrationsOf({ migrations }: Schema): Function[] {
  const own: Function[] = Object.values(migrations);
  return [...new Set([...CHASSIS_MIGRATIONS, ...own])];
}
