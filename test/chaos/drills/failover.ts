import { STANDBY_NAME, startStandby, type Standby } from '@fiado/embedded-postgres/testing/standby';
import { Client } from 'pg';
import { waitFor } from '../../e2e/support/api';
import { TcpProxy } from '../../support/tcp-proxy';
import { ChaosDatabase } from '../support/database';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Ground } from './drill';

/** How long a watcher takes to find that the primary is gone. */
const NOTICE_MS = 5_000;

/** A primary with a synchronous standby, and one address that leads to the primary. */
export const failover: Drills = {
  open,
  faults: {
    'The primary lost, its standby promoted behind the same address': {
      faultMs: NOTICE_MS,
      runbook: 'not-ready',
      inflict: async (ground) => {
        const { deployment, address, standby } = ground as FailoverGround;
        await deployment.database.stop('SIGKILL');
        return async () => {
          await query(standby.url, 'SELECT pg_promote()');
          address.moveTo(standby.url);
        };
      },
    },
  },
};

interface FailoverGround extends Ground {
  address: TcpProxy;
  standby: Standby;
}

async function open(): Promise<FailoverGround> {
  let address: TcpProxy | undefined;
  const deployment = await startDeployment('redis', {
    two: ['transactions'],
    startDatabase: () =>
      ChaosDatabase.start({
        through: async (url) => {
          address = await TcpProxy.start(url);
          return address.urlOf(url);
        },
      }),
  });
  if (address === undefined) throw new Error('The database has no address');
  const { serverUrl, dataDir } = deployment.database;
  const standby = await startStandby({ url: serverUrl, dataDir });
  await awaitStandby(serverUrl);
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  const opened = address;
  const dispose = async () => {
    await standby.dispose();
    await opened.stop();
  };
  return { deployment, second, address, standby, dispose };
}

/** From now on every commit of the primary waits for the standby. */
async function awaitStandby(serverUrl: string): Promise<void> {
  await query(serverUrl, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY_NAME}'`);
  await query(serverUrl, 'SELECT pg_reload_conf()');
  await waitFor(async () => {
    const [row] = await query(serverUrl, 'SELECT sync_state FROM pg_stat_replication');
    return row?.sync_state === 'sync' || undefined;
  });
}

async function query(url: string, sql: string): Promise<Array<Record<string, unknown>>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
