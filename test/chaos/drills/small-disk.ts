import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChaosDatabase } from '../support/database';
import { startDeployment } from '../support/deployment';
import { Instance } from '../support/instance';
import type { Drills, Ground } from './drill';

/** A new cluster with its write-ahead log takes a quarter of it. */
const DISK = '500m';
const CHUNK_BYTES = 1 << 20;
/** More switches than a cluster has segments in reserve. */
const MAX_SWITCHES = 12;

/** Postgres' data on a small disk of its own. */
export const smallDisk: Drills = {
  open,
  isolated: true,
  faults: {
    'The disk of Postgres full': {
      faultMs: 15_000,
      runbook: 'disk-full',
      inflict: async ({ deployment: { database } }) => {
        const ballast = join(database.dataDir, 'ballast');
        fill(ballast);
        // Uses up the segments that the log has in reserve, so that a commit finds no room for it either.
        for (let switched = 0; switched < MAX_SWITCHES; switched += 1) {
          await database.query('SELECT pg_switch_wal()').catch(() => undefined);
          fill(ballast);
        }
        return async () => {
          rmSync(ballast);
          // As `restart: unless-stopped` does: without room, Postgres ends.
          await database.start();
        };
      },
    },
  },
};

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (const chunk = Buffer.alloc(CHUNK_BYTES); ;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

async function open(): Promise<Ground> {
  const disk = await mkdtemp(join(tmpdir(), 'fiado-chaos-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', disk]);
  const deployment = await startDeployment('redis', {
    two: ['transactions'],
    startDatabase: () => ChaosDatabase.start({ dataDir: join(disk, 'data') }),
  });
  const second = await Instance.start(deployment, 'transactions', {
    port: deployment.secondPorts.transactions,
  });
  const dispose = async () => {
    execFileSync('umount', [disk]);
    await rmdir(disk);
  };
  return { deployment, second, dispose };
}
