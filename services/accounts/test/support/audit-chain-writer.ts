import { Database } from '@fiado/chassis/db/database';
import { accountsSchema } from '../../src/db/schema';
import { chainAuditLog } from '../../src/audit/chain-audit-log';

/** A process that chains the audit log until it is killed. */
async function main(): Promise<void> {
  const url = process.env.DATABASE_URL ?? '';
  const connection = { url, poolSize: 2, preparedStatements: false };
  const db = Database.open(accountsSchema, connection, () => {});
  process.stdout.write('ready\n');
  for (;;) await chainAuditLog({ db, log: { warn: () => {} } });
}

void main();
