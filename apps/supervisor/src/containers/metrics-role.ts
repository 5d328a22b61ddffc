import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { roleOf, rolePassword } from '@fiado/chassis/db/roles';

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
  const owner = new Client({ connectionString: ownerUrl, application_name: 'fiado migrate' });
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
