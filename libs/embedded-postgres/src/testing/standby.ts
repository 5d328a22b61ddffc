import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../embedded-postgres';
import { takeBaseBackup, writeOwned } from './base-backup';

/** How the primary names the standby, in pg_stat_replication and synchronous_standby_names. */
export const STANDBY_NAME = 'standby';

/** A server that replays what another one writes, and answers statements that only read. */
export interface Standby {
  /** URL of the owner. */
  url: string;
  /** Fast shutdown. */
  stop(): Promise<void>;
  /** Stops it and deletes its files. */
  dispose(): Promise<void>;
}

/**
 * Starts a standby on a copy of the files of a running server, from which it receives the write-ahead log.
 * @param primary an embedded server: the URL of its owner, and its `dataDir`
 */
export async function startStandby(primary: { url: string; dataDir: string }): Promise<Standby> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-standby-'));
  const copy = join(dataDir, 'postgres');
  await takeBaseBackup(primary.url, join(primary.dataDir, 'postgres'), copy);
  const { hostname, port, username, password } = new URL(primary.url);
  const way = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeOwned(join(copy, 'data/standby.signal'), '');
  await writeOwned(
    join(copy, 'data/postgresql.auto.conf'),
    `primary_conninfo = '${way} application_name=${STANDBY_NAME}'\n`,
    'a',
  );
  const server = new EmbeddedPostgres({ dataDir, durable: false });
  const { databaseUrl: url } = await server.start();
  return {
    url,
    stop: () => server.stop(),
    dispose: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
