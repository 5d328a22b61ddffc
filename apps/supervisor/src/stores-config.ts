import { Obeys } from '@fiado/contracts/decorators';
import { HasStrongPassword } from '@fiado/chassis/weak-settings';
import { IsOptional } from 'class-validator';

import { isDatabaseUrl, isMigrationUrl, isRedisUrl } from './config-rules';

/** The variables of the database and of the queues, for all services. */
export class StoresConfig {
  /**
   * Your own Postgres, 15 or newer, as an owner, because migrations create the services' roles. Unset: the
   * embedded one, or the one of docker-compose.yml.
   * @secret
   * @productionOption postgresql://owner:password@db.example.com:5432/fiado
   */
  @Obeys(isDatabaseUrl)
  @HasStrongPassword()
  DATABASE_URL?: string;

  /**
   * If DATABASE_URL is PgBouncer in transaction mode (docs/deployment.md): the same owner's URL of the same
   * database without PgBouncer, for migrations and queues in Postgres.
   * @secret
   * @productionOption postgresql://owner:password@db.example.com:5432/fiado
   */
  @IsOptional()
  @Obeys(isMigrationUrl)
  MIGRATION_DATABASE_URL?: string;

  /**
   * Redis for the queues: a server, Sentinels or a Cluster, `rediss` with TLS (docs/deployment.md). Unset: the
   * queues are in Postgres, or in the Redis of docker-compose.yml.
   * @secret
   * @productionOption rediss://user:password@redis.example.com:6379/0
   * @productionOption rediss+sentinel://user:password@s1.example.com:26379,s2.example.com:26379,s3.example.com:26379/fiado
   * @productionOption rediss+cluster://user:password@r1.example.com:6379,r2.example.com:6379
   */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  REDIS_URL?: string;

  /**
   * The same Redis with the user of accounts (docs/deployment.md has its rights). Unset: REDIS_URL.
   * @secret
   * @productionOption rediss://accounts:password@redis.example.com:6379/0
   */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  ACCOUNTS_REDIS_URL?: string;

  /**
   * The same Redis with the user of transactions (docs/deployment.md has its rights). Unset: REDIS_URL.
   * @secret
   * @productionOption rediss://transactions:password@redis.example.com:6379/0
   */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  TRANSACTIONS_REDIS_URL?: string;

  /**
   * The same Redis with the user of payments (docs/deployment.md has its rights). Unset: REDIS_URL.
   * @secret
   * @productionOption rediss://payments:password@redis.example.com:6379/0
   */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  PAYMENTS_REDIS_URL?: string;

  /**
   * The same Redis with the user of notifier (docs/deployment.md has its rights). Unset: REDIS_URL.
   * @secret
   * @productionOption rediss://notifier:password@redis.example.com:6379/0
   */
  @Obeys(isRedisUrl)
  @HasStrongPassword()
  NOTIFIER_REDIS_URL?: string;
}
