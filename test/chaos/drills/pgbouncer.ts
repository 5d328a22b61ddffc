import { startPgbouncer } from '@fiado/embedded-postgres/testing/pgbouncer';
import type { Server } from '@fiado/embedded-postgres/testing/server';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Backend } from '../support/schedule';
import type { Drills, Ground } from './drill';
import { dropping } from './silence';

const PGBOUNCER = process.env.PGBOUNCER_BIN ?? '/usr/sbin/pgbouncer';
/** Of docs/deployment.md. */
const SETTINGS = {
  max_client_conn: '1200',
  default_pool_size: '40',
  query_wait_timeout: '2',
  tcp_user_timeout: '5000',
  tcp_keepidle: '5',
  tcp_keepintvl: '1',
  tcp_keepcnt: '3',
  server_check_delay: '0',
};

const urlOfPooler = (ground: Ground) => (ground as PgbouncerGround).pooler.url;
const urlOfServer = ({ deployment }: Ground) => deployment.database.serverUrl;

/** The services reach Postgres by PgBouncer in transaction mode. */
export const pgbouncer: Drills = {
  open: () => open('redis'),
  isolated: true,
  faults: {
    'PgBouncer restarted': {
      faultMs: 3_000,
      runbook: 'not-ready',
      inflict: async (ground) => {
        const behind = ground as PgbouncerGround;
        const { url } = behind.pooler;
        await behind.pooler.stop();
        return async () => {
          const { serverUrl } = behind.deployment.database;
          behind.pooler = await startPgbouncer(
            PGBOUNCER,
            serverUrl,
            SETTINGS,
            Number(new URL(url).port),
          );
        };
      },
    },
    'The connections to PgBouncer die without a word': dropping(
      (ground) => [urlOfPooler(ground)],
      'not-ready',
    ),
    'The connections of PgBouncer to Postgres die without a word': dropping(
      (ground) => [urlOfServer(ground)],
      'not-ready',
    ),
  },
};

/** The same with queues in Postgres, which pass PgBouncer by. */
export const pgbouncerWithQueuesInPostgres: Drills = {
  open: () => open('postgres'),
  isolated: true,
  faults: {
    'The connections to PgBouncer and Postgres, with the queues in it, die without a word':
      dropping((ground) => [urlOfPooler(ground), urlOfServer(ground)], 'not-ready'),
  },
};

interface PgbouncerGround extends Ground {
  pooler: Server;
}

async function open(backend: Backend): Promise<PgbouncerGround> {
  let pooler: Server | undefined;
  const deployment = await startDeployment(backend, {
    two: ['transactions'],
    stepBetween: async ({ database }) => {
      pooler = await startPgbouncer(PGBOUNCER, database.serverUrl, SETTINGS);
      return {
        DATABASE_URL: pooler.url,
        MIGRATION_DATABASE_URL: database.serverUrl,
        PREPARED_STATEMENTS: 'off',
      };
    },
  });
  if (pooler === undefined) throw new Error('There is no PgBouncer');
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  const ground: PgbouncerGround = {
    deployment,
    second,
    pooler,
    dispose: () => ground.pooler.stop(),
  };
  return ground;
}
