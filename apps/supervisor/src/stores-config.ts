import { Obeys } from '@fiado/shared/contracts/decorators';
import { HasStrongPassword } from '@fiado/shared/chassis/weak-settings';
import { IsOptional } from 'class-validator';

import { isDatabaseUrl, isMigrationUrl, isRedisUrl } from './config-rules';

/** The variables of the database and of the queues, for all services. */
export class StoresConfig {
  /** A PostgreSQL of your own, as its owner; unset: the embedded one. */
  @Obeys(isDatabaseUrl)
  @HasStrongPassword()
  DATABASE_URL?: string;

  /** The same database as the same owner, past PgBouncer: for migrations and queues in Postgres. */
  @IsOptional()
  @Obeys(isMigrationUrl)
  MIGRATION_DATABASE_URL?: string;

  /** Redis for the queues; unset: they live in Postgres. */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  REDIS_URL?: string;

  /** The same Redis with the service's own user, where it has one. */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  ACCOUNTS_REDIS_URL?: string;

  @Obeys(isRedisUrl)
  @HasStrongPassword()
  TRANSACTIONS_REDIS_URL?: string;

  @Obeys(isRedisUrl)
  @HasStrongPassword()
  PAYMENTS_REDIS_URL?: string;

  @Obeys(isRedisUrl)
  @HasStrongPassword()
  NOTIFIER_REDIS_URL?: string;
}
