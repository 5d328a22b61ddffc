import { IsIn, IsOptional, IsString } from '@fiado/contracts/class-validator';
import { variablesOf } from '@fiado/chassis/config';
import { HasStrongPassword, IsPublicUrl } from '@fiado/chassis/weak-settings';
import { ConsoleConfig } from '@fiado/console/config';
import { IsIntegerText, Obeys } from '@fiado/contracts/decorators';
import {
  IsAsIn,
  isDatabaseUrl,
  isHost,
  isSameOwnersUrl,
  IsPort,
  isRedisUrl,
  isSecret,
  isSigningKey,
} from './config-rules';
import { SERVICES } from './services';

/** The variables of the database and of the queues, for all services. */
class StoresConfig {
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
  @Obeys(isSameOwnersUrl)
  MIGRATION_DATABASE_URL?: string;

  /**
   * A streaming replica of DATABASE_URL, with the same user and password: payments reads there
   * what changed in a day, for the portfolio. Unset, not reachable or without the end of the day: it reads DATABASE_URL.
   * @secret
   * @productionOption postgresql://owner:password@replica.example.com:5432/fiado
   */
  @IsOptional()
  @Obeys(isSameOwnersUrl)
  READ_DATABASE_URL?: string;

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

/**
 * Everything that `npm start` reads from the environment: what it uses itself, and every variable of
 * the services and the console, by the rule of its configuration class.
 */
export class SupervisorConfig extends StoresConfig {
  /**
   * sandbox (default) or production, which refuses missing, weak and repeated secrets, console SMS, the embedded
   * database and a PUBLIC_URL without https.
   * @production production
   */
  @IsOptional()
  @IsIn(['sandbox', 'production'])
  FIADO_MODE?: 'sandbox' | 'production';

  /** Address that the gateway listens on. */
  @Obeys(isHost)
  HOST = '127.0.0.1';

  /**
   * Address that the services and the gateway's METRICS_PORT listen on: never a public one, because only
   * Fiado's own processes call them. 0.0.0.0 in containers on a private network.
   */
  @Obeys(isHost)
  INTERNAL_HOST = '127.0.0.1';

  /**
   * The gateway's port.
   * @production 3000
   */
  @IsPort()
  PORT = 3000;

  /** Port of accounts. */
  @IsPort()
  ACCOUNTS_PORT = 3001;

  /** Port of transactions. */
  @IsPort()
  TRANSACTIONS_PORT = 3002;

  /** Port of payments. */
  @IsPort()
  PAYMENTS_PORT = 3003;

  /** Port of notifier. */
  @IsPort()
  NOTIFIER_PORT = 3004;

  /** Address that the console listens on. Beyond this machine only behind TLS. */
  @Obeys(isHost)
  CONSOLE_HOST = '127.0.0.1';

  /**
   * The console's port. In a sandbox the next free one takes the place of a taken one, unless
   * CONSOLE_URL is set.
   * @production 3010
   */
  @IsIntegerText(1, 65_535)
  CONSOLE_PORT = 3010;

  /**
   * Public URL of the gateway, the base of links and of Twilio's callbacks; production needs https. Unset in a
   * sandbox: the gateway on this machine.
   * @production https://fiado.example.com
   */
  @IsPublicUrl()
  PUBLIC_URL?: string;

  /** Folder of the embedded database, the generated secrets and the demo's keys. */
  @IsString()
  DATA_DIR = '.data';

  /**
   * The first admin's key (docs/operations/ops-keys.md), at least 32 characters. Generated into DATA_DIR in a
   * sandbox, as are all secrets.
   * @secret
   * @production
   */
  @Obeys(isSecret)
  OPS_API_KEY?: string;

  /**
   * Signs the calls and jobs of gateway: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   * @production
   */
  @Obeys(isSigningKey)
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /**
   * Signs the calls and jobs of accounts: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   * @production
   */
  @Obeys(isSigningKey)
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /**
   * Signs the calls and jobs of transactions: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   * @production
   */
  @Obeys(isSigningKey)
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /**
   * Signs the calls and jobs of payments: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   * @production
   */
  @Obeys(isSigningKey)
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /**
   * Signs the calls and jobs of notifier: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   * @production
   */
  @Obeys(isSigningKey)
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY?: string;

  /**
   * GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY before or after this one, while it is exchanged (docs/operations/rotate-keys.md).
   * Processes get its public key only.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @Obeys(isSigningKey)
  GATEWAY_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /**
   * ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY before or after this one, while it is exchanged (docs/operations/rotate-keys.md).
   * Processes get its public key only.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @Obeys(isSigningKey)
  ACCOUNTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /**
   * TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY before or after this one, while it is exchanged (docs/operations/rotate-keys.md).
   * Processes get its public key only.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @Obeys(isSigningKey)
  TRANSACTIONS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /**
   * PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY before or after this one, while it is exchanged (docs/operations/rotate-keys.md).
   * Processes get its public key only.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @Obeys(isSigningKey)
  PAYMENTS_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /**
   * NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY before or after this one, while it is exchanged (docs/operations/rotate-keys.md).
   * Processes get its public key only.
   * @secret
   * @productionOption
   */
  @IsOptional()
  @Obeys(isSigningKey)
  NOTIFIER_INTERNAL_TOKEN_PRIVATE_KEY_PREVIOUS?: string;

  /**
   * Signs access tokens: an Ed25519 private key, base64 of its PKCS8 PEM.
   * @secret
   * @production
   */
  @Obeys(isSigningKey)
  ACCESS_TOKEN_PRIVATE_KEY?: string;

  /**
   * Keys the hashes of six-digit codes.
   * @secret
   * @production
   */
  @Obeys(isSecret)
  CODE_PEPPER?: string;

  /**
   * Wraps the data keys, which seal names, phones, coordinates and images at rest.
   * @secret
   * @production
   */
  @Obeys(isSecret)
  ENCRYPTION_KEY?: string;

  // These have the rule of their process, below.
  declare ACCOUNTS_URL?: string;
  declare TRANSACTIONS_URL?: string;
  declare PAYMENTS_URL?: string;
  declare NOTIFIER_URL?: string;
  declare GATEWAY_URL?: string;
  declare CONSOLE_URL?: string;
  declare LOG_LEVEL?: string;
  declare QUEUE_PREFIX?: string;
  declare SMS_PROVIDER?: string;
}

/** Made for each process: nobody sets them. */
const MADE_HERE = [
  'INTERNAL_TOKEN_PRIVATE_KEY',
  'INTERNAL_TOKEN_PUBLIC_KEYS',
  'QUEUES_DATABASE_URL',
];

const others = new Set([...variablesOf(SupervisorConfig), ...MADE_HERE]);
for (const Config of [...SERVICES.map((service) => service.Config), ConsoleConfig]) {
  const isAsInProcess = IsAsIn(Config);
  for (const name of variablesOf(Config)) {
    if (!others.has(name)) isAsInProcess(SupervisorConfig.prototype, name);
  }
}
