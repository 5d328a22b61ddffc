import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCluster } from '@fiado/embedded-postgres/cluster';
import { choosePort, ownerUrl } from '@fiado/embedded-postgres/connection';
import { prepareHome } from '@fiado/embedded-postgres/home';
import { isRunning } from '@fiado/embedded-postgres/postmaster-pid';
import { launchServer } from '@fiado/embedded-postgres/server';
import { Client } from 'pg';
import { waitFor } from '../../e2e/support/api';
import { TcpProxy } from '../../support/tcp-proxy';
import { takeBaseBackup, writeOwned } from '../support/base-backup';
import { ChaosDatabase } from '../support/database';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Ground } from './drill';

/** How long a watcher takes to find that the primary is gone. */
const NOTICE_MS = 5_000;
const MAX_CONNECTIONS = 200;

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

interface Standby {
  url: string;
  stop(): Promise<void>;
}

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
  const standby = await startStandby(deployment.database);
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  const opened = address;
  const dispose = async () => {
    await standby.stop();
    await opened.stop();
  };
  return { deployment, second, address, standby, dispose };
}

/** A standby on a copy of the primary's files; every commit of the primary waits for it from now on. */
async function startStandby({ serverUrl, dataDir }: ChaosDatabase): Promise<Standby> {
  const ownDir = await mkdtemp(join(tmpdir(), 'fiado-chaos-standby-'));
  await takeBaseBackup(serverUrl, join(dataDir, 'postgres'), join(ownDir, 'postgres'));
  const home = await prepareHome(ownDir, () => undefined);
  const cluster = await ensureCluster(home, false);
  const { hostname, port, username, password } = new URL(serverUrl);
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeOwned(join(cluster.data, 'standby.signal'), '');
  await writeOwned(
    join(cluster.data, 'postgresql.auto.conf'),
    `primary_conninfo = '${primary} application_name=standby'\n`,
    'a',
  );
  const ownPort = await choosePort();
  const { pid } = await launchServer(home, cluster, {
    port: ownPort,
    durable: false,
    maxConnections: MAX_CONNECTIONS,
  });
  await query(serverUrl, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await query(serverUrl, 'SELECT pg_reload_conf()');
  await waitFor(async () => {
    const [row] = await query(serverUrl, 'SELECT sync_state FROM pg_stat_replication');
    return row?.sync_state === 'sync' || undefined;
  });
  return {
    url: ownerUrl(ownPort, password),
    stop: async () => {
      process.kill(pid, 'SIGINT');
      await waitFor(() => Promise.resolve(!isRunning(pid) || undefined));
      await rm(ownDir, { recursive: true, force: true });
    },
  };
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
