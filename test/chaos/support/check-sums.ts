import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { System } from '../../e2e/support/system';
import type { ChaosDatabase } from './database';

const CLI = 'apps/cli/dist/main.js';
const ROOT = resolve(__dirname, '../../..');
const SETTLE_SECONDS = 20;
const TIMEOUT_MS = 90_000;

interface VerifyReport {
  ok: boolean;
  checks: Array<{ service: string; name: string; holds: boolean; violations: object[] }>;
}

/** The findings of `fiado verify`. */
export async function checkSums(system: System): Promise<string[]> {
  const options = ['verify', '--json', '--settle', String(SETTLE_SECONDS)];
  const env = { PATH: process.env.PATH, BASE_URL: system.baseUrl, OPS_API_KEY: system.opsKey };
  const cwd = ROOT;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [CLI, ...options], {
    cwd,
    env,
    timeout: TIMEOUT_MS,
  }).catch((error: { stdout: string; stderr: string }) => error);
  if (!stdout.trim().startsWith('{')) return [`fiado verify says nothing but: ${stderr}`];
  const { checks } = JSON.parse(stdout) as VerifyReport;
  return checks.flatMap(({ service, name, holds, violations }) =>
    holds ? [] : [`${service}: ${name} does not hold: ${JSON.stringify(violations)}`],
  );
}

/** No job was given up, in any service. */
export async function checkDeadLetters(database: ChaosDatabase): Promise<string[]> {
  const rows = await database.query<{ what: string }>(`
    SELECT type || ' ' || id || ' is dead: ' || dead_reason AS what FROM (
      SELECT * FROM accounts.outbox UNION ALL SELECT * FROM transactions.outbox
      UNION ALL SELECT * FROM payments.outbox UNION ALL SELECT * FROM notifier.outbox) AS job
     WHERE dead_at IS NOT NULL`);
  return rows.map(({ what }) => what);
}
