import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../e2e/support/api';
import { startSystem } from '../../e2e/support/system';
import { takeBaseBackup, writeOwned } from '@fiado/embedded-postgres/testing/standby';
import { ChaosDatabase } from '../support/database';
import { startDeployment, type Deployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Aftermath, Drills, Ground } from './drill';

/** Orders after the base backup, and between the wanted moment and the mistake. */
const ORDERS_MS = 5_000;

/** Postgres with an archive of its write-ahead log. */
export const pointInTime: Drills = {
  open,
  faults: {
    'Tables emptied by mistake, restored to the moment before': {
      faultMs: 3_000,
      runbook: 'errors',
      inflict: async (ground) => {
        const { deployment, archive } = ground as ArchivedGround;
        const { database } = deployment;
        const backup = join(archive, '..', 'backup');
        await takeBaseBackup(database.serverUrl, join(database.dataDir, 'postgres'), backup);
        await sleep(ORDERS_MS);
        const [moment] = await database.query<{ at: string; ms: string }>(
          `SELECT now()::text AS at, EXTRACT(EPOCH FROM now()) * 1000 AS ms`,
        );
        await sleep(ORDERS_MS);
        await database.query('TRUNCATE transactions.product_lines, transactions.commissions');
        const from = Number(moment?.ms);
        return () => restore(ground as ArchivedGround, { at: moment?.at ?? '', from, backup });
      },
    },
  },
};

interface ArchivedGround extends Ground {
  /** Folder of the archived segments. */
  archive: string;
}

/** The steps of docs/deployment.md, section Point in time. */
async function restore(
  ground: ArchivedGround,
  { at, from, backup }: { at: string; from: number; backup: string },
): Promise<Aftermath> {
  const { deployment, archive } = ground;
  const { database, system, redis } = deployment;
  const startedAt = Date.now();
  await database.query('SELECT pg_switch_wal()');
  await waitFor(async () => {
    const [row] = await database.query<{ waiting: string }>(
      "SELECT count(*) AS waiting FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'",
    );
    return row?.waiting === '0' || undefined;
  });
  await Promise.all([system.stop(), ground.second.stop()]);
  const to = Date.now();
  await database.stop('SIGINT');
  // It holds jobs of orders that are gone, and has done jobs that are wanted again.
  await redis?.flush();
  const home = join(database.dataDir, 'postgres');
  await rename(home, `${home}.broken`);
  await rename(backup, home);
  await writeOwned(join(home, 'data/recovery.signal'), '');
  await writeOwned(
    join(home, 'data/postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'
recovery_target_time = '${at}'
recovery_target_action = 'promote'
`,
    'a',
  );
  await database.start();
  const restoredMs = Date.now() - startedAt;
  await startAgain(ground);
  const allMs = Date.now() - startedAt;
  return {
    forgotten: { from, to },
    measured: [`database restored after ${seconds(restoredMs)}, all ready after ${seconds(allMs)}`],
  };
}

async function startAgain(ground: ArchivedGround): Promise<void> {
  const { deployment } = ground;
  const { ports, dataDir } = deployment.system;
  deployment.system = await startSystem({ ports, dataDir, env: deployment.environment });
  ground.second = await startSecond(deployment);
}

function startSecond(deployment: Deployment): Promise<Instance> {
  const port = deployment.secondPorts.transactions;
  return Instance.start(deployment, 'transactions', { port });
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

async function open(): Promise<ArchivedGround> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-chaos-archive-'));
  await chmod(folder, 0o711);
  const archive = await mkdtemp(join(folder, 'wal-'));
  // The server's user writes here.
  await chmod(archive, 0o777);
  const deployment = await startDeployment('redis', {
    two: ['transactions'],
    startDatabase: () =>
      ChaosDatabase.start({
        settings: [
          'archive_mode = on',
          `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
          `archive_timeout = '60s'`,
        ],
      }),
  });
  const second = await startSecond(deployment);
  const dispose = () => rm(folder, { recursive: true, force: true });
  return { deployment, second, archive, dispose };
}
