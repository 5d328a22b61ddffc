import { IsOptional, IsString } from '@fiado/contracts/class-validator';
import { passwordProblem, SANDBOX_PASSWORD } from '@fiado/chassis/weak-settings';
import { Obeys } from '@fiado/contracts/decorators';
import { SupervisorConfig } from '../config';

type Environment = Record<string, string | undefined>;

/** Settings of docker-compose.yml: those of `npm start`, and the passwords of Postgres, Redis and Grafana. */
export class ContainersConfig extends SupervisorConfig {
  /**
   * The image of all processes.
   * @production fiado:1.0.0
   */
  @IsOptional()
  @IsString()
  FIADO_IMAGE?: string;

  /**
   * Address on this machine for the load balancer that terminates TLS in front of the gateway.
   * @production 127.0.0.1
   */
  @IsOptional()
  @IsString()
  BIND_ADDRESS?: string;

  /**
   * The same for the console.
   * @production 127.0.0.1
   */
  @IsOptional()
  @IsString()
  CONSOLE_BIND_ADDRESS?: string;

  /**
   * Memory of the Postgres container.
   * @productionOption 1g
   */
  @IsOptional()
  @IsString()
  POSTGRES_MEMORY?: string;

  /**
   * Shared buffers of Postgres: a quarter of that memory (docs/deployment.md).
   * @productionOption 256MB
   */
  @IsOptional()
  @IsString()
  POSTGRES_SHARED_BUFFERS?: string;

  /**
   * Password of the owner in the Postgres container. Not checked where DATABASE_URL has another password.
   * @secret
   * @production
   */
  @IsPasswordIn('DATABASE_URL')
  POSTGRES_PASSWORD = SANDBOX_PASSWORD;

  /**
   * Password of the owner of the Redis container. Not checked where REDIS_URL has another password.
   * @secret
   * @production
   */
  @IsPasswordIn('REDIS_URL')
  REDIS_PASSWORD = SANDBOX_PASSWORD;

  /**
   * Password of the user of accounts in the Redis container.
   * @secret
   * @production
   */
  @IsPasswordIn('ACCOUNTS_REDIS_URL')
  ACCOUNTS_REDIS_PASSWORD = SANDBOX_PASSWORD;

  /**
   * Password of the user of transactions in the Redis container.
   * @secret
   * @production
   */
  @IsPasswordIn('TRANSACTIONS_REDIS_URL')
  TRANSACTIONS_REDIS_PASSWORD = SANDBOX_PASSWORD;

  /**
   * Password of the user of payments in the Redis container.
   * @secret
   * @production
   */
  @IsPasswordIn('PAYMENTS_REDIS_URL')
  PAYMENTS_REDIS_PASSWORD = SANDBOX_PASSWORD;

  /**
   * Password of the user of notifier in the Redis container.
   * @secret
   * @production
   */
  @IsPasswordIn('NOTIFIER_REDIS_URL')
  NOTIFIER_REDIS_PASSWORD = SANDBOX_PASSWORD;

  /**
   * Password of Grafana's admin. Grafana waits for these settings.
   * @secret
   * @production
   */
  @Obeys((value: unknown, config: SupervisorConfig, name) =>
    passwordProblem(String(value), config, name),
  )
  GRAFANA_PASSWORD = SANDBOX_PASSWORD;
}

/** The environment with the addresses of the stores of docker-compose.yml, where it does not name others. */
export function withStores(env: Environment): Environment {
  const postgres = encodeURIComponent(env.POSTGRES_PASSWORD || SANDBOX_PASSWORD);
  const redis = (user: string, password = '') =>
    `redis://${user}:${encodeURIComponent(password || SANDBOX_PASSWORD)}@redis:6379`;
  return {
    ...env,
    DATABASE_URL: env.DATABASE_URL || `postgresql://fiado:${postgres}@postgres:5432/fiado`,
    ...(!env.REDIS_URL && {
      REDIS_URL: redis('', env.REDIS_PASSWORD),
      ACCOUNTS_REDIS_URL: redis('accounts', env.ACCOUNTS_REDIS_PASSWORD),
      TRANSACTIONS_REDIS_URL: redis('transactions', env.TRANSACTIONS_REDIS_PASSWORD),
      PAYMENTS_REDIS_URL: redis('payments', env.PAYMENTS_REDIS_PASSWORD),
      NOTIFIER_REDIS_URL: redis('notifier', env.NOTIFIER_REDIS_PASSWORD),
    }),
  };
}

type UrlName = Extract<keyof SupervisorConfig, `${string}_URL`>;

/** Decorator: a password must be strong where the URL of that name has it. */
function IsPasswordIn(urlName: UrlName): PropertyDecorator {
  return Obeys((value: unknown, config: SupervisorConfig, name) => {
    const url = config[urlName];
    const password = String(value);
    const isUsed =
      url !== undefined &&
      URL.canParse(url) &&
      decodeURIComponent(new URL(url).password) === password;
    return isUsed ? passwordProblem(password, config, name) : undefined;
  });
}
