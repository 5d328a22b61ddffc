import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeWhole } from '../json-file';
import { StartupError } from '../say';
import { consoleEnvironmentOf, environmentOf, type Installation } from '../service-environment';
import { SERVICES } from '../services';
import type { ContainersConfig } from './config';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { KEEP_ALIVE, LimitedClient } from '@fiado/chassis/db/limited-client';
import { roleOf, rolePassword } from '@fiado/chassis/db/roles';

const USERS = resolve(__dirname, '../../../../docker/redis-users.acl');

const DEFAULT_PREFIX = 'fiado';

const OWNER_ONLY = 0o600;
/** Readable by any user of the containers that mount the folder. */
const READABLE = 0o644;

/**
 * A command of production without its variables is a sandbox, whose settings must not reach the
 * processes of production.
 * @throws StartupError when the settings in `folder` are production's and the new ones are not
 */
export async function keepMode(mode: string | undefined, folder: string): Promise<void> {
  if (mode === 'production') return;
  for (const { name } of SERVICES) {
    const file = join(folder, name, 'FIADO_MODE');
    if (existsSync(file) && (await readFile(file, 'utf8')) === 'production') {
      throw new StartupError(
        'these volumes are those of a production: run ./production in place of docker compose. Nothing was changed',
      );
    }
  }
}

/**
 * Writes the settings of each container into its own folder below `folder`, one file for each
 * variable. A container mounts its own folder only.
 */
export async function writeSettings(
  installation: Installation<ContainersConfig>,
  folder: string,
): Promise<void> {
  const { config } = installation;
  for (const service of SERVICES) {
    await writeFolder(join(folder, service.name), environmentOf(service, installation), OWNER_ONLY);
  }
  await writeFolder(join(folder, 'console'), consoleEnvironmentOf(installation), OWNER_ONLY);
  // For the steps that run once: migrate and demo.
  await writeFolder(join(folder, 'steps'), config, OWNER_ONLY);
  await writeFolder(join(folder, 'ops'), { OPS_API_KEY: config.OPS_API_KEY }, OWNER_ONLY);
  // These run as other users.
  const { POSTGRES_PASSWORD, GRAFANA_PASSWORD } = config;
  await writeFolder(join(folder, 'postgres'), { POSTGRES_PASSWORD }, READABLE);
  await writeFolder(join(folder, 'grafana'), { GRAFANA_PASSWORD }, READABLE);
  const metrics = { POSTGRES_PASSWORD: metricsPassword(installation.databaseUrl) };
  await writeFolder(join(folder, 'metrics'), metrics, READABLE);
  await writeFolder(join(folder, 'redis'), { 'users.acl': await redisUsers(config) }, READABLE);
}

async function writeFolder(folder: string, files: object, mode: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const settings = Object.entries(files).filter(([, value]) => value !== undefined);
  const names = new Set(settings.map(([name]) => name));

  for (const [name, value] of settings) await writeWhole(join(folder, name), String(value), mode);
  // Settings of an earlier start that are no longer set.
  for (const name of await readdir(folder)) {
    if (!names.has(name)) await rm(join(folder, name));
  }
}

/**
 * The users of our own Redis as its `aclfile`: docker/redis-users.acl with the prefix of the queues and
 * hashes of the passwords.
 */
async function redisUsers(config: ContainersConfig): Promise<string> {
  const text = await readFile(USERS, 'utf8');
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('{QUEUE_PREFIX}', config.QUEUE_PREFIX ?? DEFAULT_PREFIX)
    .replaceAll(
      /#\{(\w+)\}/g,
      (_hole, name: keyof ContainersConfig) => `#${sha256(String(config[name]))}`,
    );
}

function sha256(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

/** Longest attempt to connect, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Not a schema's: it may read Postgres' statistics and no table. */
const METRICS = 'metrics';

/** Password of the role that postgres-exporter logs in as. */
export function metricsPassword(ownerUrl: string): string {
  return rolePassword(ownerUrl, METRICS);
}

/**
 * Makes the role of postgres-exporter, where the owner may grant what it needs: in the Postgres of
 * docker-compose.yml, whose owner is a superuser. A managed Postgres has metrics of its own.
 */
export async function createMetricsRole(ownerUrl: string): Promise<void> {
  const owner = new LimitedClient({
    connectionString: ownerUrl,
    application_name: 'fiado migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...KEEP_ALIVE,
  });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ rolsuper: boolean; exists: boolean }>(
      `SELECT rolsuper, EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists
         FROM pg_roles WHERE rolname = current_user`,
      [roleOf(METRICS)],
    );
    if (rows[0]?.rolsuper !== true) return;
    const role = escapeIdentifier(roleOf(METRICS));
    if (!rows[0].exists) await owner.query(`CREATE ROLE ${role}`);
    await owner.query(
      `ALTER ROLE ${role} LOGIN CONNECTION LIMIT 5 PASSWORD ${escapeLiteral(metricsPassword(ownerUrl))}`,
    );
    await owner.query(`GRANT pg_monitor TO ${role}`);
  } finally {
    await owner.end();
  }
}
