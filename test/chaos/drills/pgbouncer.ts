import { startPgbouncer } from '@fiado/embedded-postgres/testing/pgbouncer';
import type { Server } from '@fiado/embedded-postgres/testing/server';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Ground } from './drill';

const PGBOUNCER = process.env.PGBOUNCER_BIN ?? '/usr/sbin/pgbouncer';
/** Of docs/deployment.md. */
const LIMITS = { max_client_conn: '1200', default_pool_size: '40', query_wait_timeout: '2' };

/** The services reach Postgres by PgBouncer in transaction mode. */
export const pgbouncer: Drills = {
  open,
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
            LIMITS,
            Number(new URL(url).port),
          );
        };
      },
    },
  },
};

interface PgbouncerGround extends Ground {
  pooler: Server;
}

async function open(): Promise<PgbouncerGround> {
  let pooler: Server | undefined;
  const deployment = await startDeployment('redis', {
    two: ['transactions'],
    stepBetween: async ({ database }) => {
      pooler = await startPgbouncer(PGBOUNCER, database.serverUrl, LIMITS);
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
