import { Obeys } from '../config-rules';
import { SupervisorConfig } from '../config';

type Environment = Record<string, string | undefined>;

/** The password of Postgres and Redis in docker-compose.yml, which everybody can read. */
const SANDBOX_PASSWORD = 'fiado-local-only';

/** The house in containers: what `npm start` reads, and the passwords of the stores beside it. */
export class ContainersConfig extends SupervisorConfig {
  /** The owner's in the Postgres container; not asked for where DATABASE_URL is another one. */
  @Obeys((_value, config) => ownPassword(config, config.DATABASE_URL))
  POSTGRES_PASSWORD?: string;

  /** Of the Redis container; not asked for where REDIS_URL is another one. */
  @Obeys((_value, config) => ownPassword(config, config.REDIS_URL))
  REDIS_PASSWORD?: string;
}

/** The environment with the addresses of the stores beside us, where it does not name others. */
export function withStores(env: Environment): Environment {
  const postgres = encodeURIComponent(env.POSTGRES_PASSWORD || SANDBOX_PASSWORD);
  const redis = encodeURIComponent(env.REDIS_PASSWORD || SANDBOX_PASSWORD);
  return {
    ...env,
    DATABASE_URL: env.DATABASE_URL || `postgresql://fiado:${postgres}@postgres:5432/fiado`,
    REDIS_URL: env.REDIS_URL || `redis://:${redis}@redis:6379`,
  };
}

function ownPassword({ FIADO_MODE }: SupervisorConfig, url = ''): string | undefined {
  const known = URL.canParse(url) && new URL(url).password === SANDBOX_PASSWORD;
  return FIADO_MODE === 'production' && known ? 'is required in production' : undefined;
}
