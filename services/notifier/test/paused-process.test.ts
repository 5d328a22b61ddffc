import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '@fiado/shared/testing/database';
import { until } from '@fiado/shared/testing/until';
import { notifierSchema } from '../src/db/schema';
import { codeJob } from './support/notifier';
import { startNotifierProcess } from './support/notifier-process';

/** Longer than a process may stand still after its claim, shorter than its transaction may idle. */
const PAUSE_MS = 3_500;
const CLAIM_LOCK = 0x534d5343;

let database: TestDatabase;
let client: Client;
let notifier: ChildProcess;
let printed = '';

beforeAll(async () => {
  database = await createTestDatabase(notifierSchema);
  client = new Client({ connectionString: database.ownerUrl, options: '-c search_path=notifier' });
  await client.connect();
  notifier = await startNotifierProcess({ DATABASE_URL: database.ownerUrl, NOTIFIER_PORT: '0' });
  notifier.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
});
afterAll(async () => {
  notifier.kill('SIGKILL');
  await client.end();
  await database.drop();
});

/**
 * A message is claimed by a process that is stopped between the claim's start and its call.
 * @returns what its attempts came to
 */
async function stopAfterClaim(): Promise<string[]> {
  printed = '';
  await client.query('SELECT pg_advisory_lock($1)', [CLAIM_LOCK]);
  const id = randomUUID();
  const { template, sealed, phoneIndex, phoneMasked, subjectId } = codeJob();
  await client.query(
    `INSERT INTO messages (id, template, subject_id, phone_index, phone_masked, sealed, expires_at)
     VALUES ($1, $2, $3, decode($4, 'base64'), $5, decode($6, 'base64'),
             now() + interval '10 minutes')`,
    [id, template, subjectId, phoneIndex, phoneMasked, sealed],
  );
  await until('a claim waits for the lock', async () => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1`,
      [CLAIM_LOCK],
    );
    return rowCount === 1;
  });
  notifier.kill('SIGSTOP');
  await client.query('SELECT pg_advisory_unlock($1)', [CLAIM_LOCK]);
  await sleep(PAUSE_MS);
  expect(printed).not.toContain('SMS to');
  notifier.kill('SIGCONT');

  await until('the message is sent', async () => {
    const { rows } = await client.query('SELECT status FROM messages WHERE id = $1', [id]);
    return rows[0].status === 'sent';
  });
  expect(printed.match(/SMS to/g)).toHaveLength(1);
  const { rows } = await client.query<{ outcome: string }>(
    'SELECT outcome FROM message_attempts WHERE message_id = $1 ORDER BY number',
    [id],
  );
  return rows.map(({ outcome }) => outcome);
}

test('a process that was stopped after its claim does not call, and the message goes back', async () => {
  // The wait for the lock may run into its time-out just then: that round claims nothing at all.
  let outcomes = await stopAfterClaim();
  for (let tries = 1; outcomes.length === 1 && tries < 5; tries += 1) {
    outcomes = await stopAfterClaim();
  }

  expect(outcomes).toEqual(['pending', 'sent']);
});
