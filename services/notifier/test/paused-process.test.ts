import { execFile as execFileWithCallback, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { Database } from '@fiado/chassis/db/database';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import { until } from '@fiado/chassis/testing/until';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import { notifierSchema } from '../src/db/schema';
import { claimMessages } from '../src/messages/claim-messages.sql';
import { codeJob, insertPending } from './support/notifier';
import { startNotifierProcess } from './support/notifier-process';

const execFile = promisify(execFileWithCallback);

/** Longer than a process may be suspended after its claim, shorter than its transaction may idle. */
const PAUSE_MS = 3_500;
/** After a message is claimed its SMS is printed within this time. */
const OUTPUT_MS = 300;
const LOCKED_TABLE = 'phone_claims';

let database: TestDatabase;
let client: Client;
/** The database as another notifier sees it. */
let other: Database;
let notifier: ChildProcess;
let printed = '';

beforeAll(async () => {
  database = await createTestDatabase(notifierSchema);
  client = new Client({ connectionString: database.ownerUrl, options: '-c search_path=notifier' });
  await client.connect();
  other = Database.open(
    notifierSchema,
    { url: database.ownerUrl, poolSize: 2, preparedStatements: true },
    () => {},
  );
  notifier = await startNotifierProcess({ ...database.environment, NOTIFIER_PORT: '0' });
  notifier.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
});
afterAll(async () => {
  notifier.kill('SIGKILL');
  await client.end();
  await other.close();
  await database.drop();
});

/** A message of that job, as the service would write it. @returns its id */
async function insert(job: SendMessage): Promise<string> {
  const id = randomUUID();
  await insertPending(client, id, job);
  return id;
}

/** SIGSTOP returns before the process is suspended. */
async function pause({ pid }: ChildProcess): Promise<void> {
  process.kill(pid ?? 0, 'SIGSTOP');
  await until('the process is suspended', async () => {
    const { stdout } = await execFile('ps', ['-o', 'state=', '-p', String(pid)]);
    return stdout.startsWith('T');
  });
}

/**
 * A message is claimed by a process that is stopped between the claim's start and its call.
 * @returns what its attempts came to; none where the claim had already run into its lock time-out
 */
async function stopAfterClaim(): Promise<string[]> {
  // An earlier try may have left a message, whose SMS is not this one's.
  await until('no message waits', async () => {
    const { rowCount } = await client.query(`SELECT FROM messages WHERE status = 'pending'`);
    return rowCount === 0;
  });
  await sleep(OUTPUT_MS);
  printed = '';
  const job = codeJob();
  await client.query('INSERT INTO claims_of_minute VALUES ($1, now(), 0)', [job.wholesalerId]);
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${LOCKED_TABLE} IN ACCESS EXCLUSIVE MODE`);
  const id = await insert(job);
  await until('a claim waits for the lock', async () => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_locks WHERE relation = '${LOCKED_TABLE}'::regclass AND NOT granted`,
    );
    return rowCount !== 0;
  });
  await pause(notifier);
  await client.query('COMMIT');
  const { added, claimed } = await claimAsAnother(job);
  if (claimed.includes(id)) {
    notifier.kill('SIGCONT');
    return [];
  }
  expect(claimed).toEqual([added]);
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

/** Another process claims while this one is suspended; a message of the same phone is added first. */
async function claimAsAnother(job: SendMessage): Promise<{ added: string; claimed: string[] }> {
  await until('the stopped process holds no lock', async () => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_activity
        WHERE application_name = 'fiado notifier' AND datname = current_database()
          AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    return rowCount === 0;
  });
  const added = await insert(job);
  const { claimed } = await claimMessages(other, {
    claimId: randomUUID(),
    provider: 'another process',
    limit: 10,
    perPhone: 20,
    perPhoneAndWholesaler: 15,
    perWholesaler: 300,
    wipe: false,
  });
  return { added, claimed: claimed.map(({ id }) => id) };
}

test('a process that is suspended after its claim blocks no other, does not call, and returns the message', async () => {
  // The wait for the lock may run into its time-out just then: that round claims nothing at all.
  let outcomes = await stopAfterClaim();
  for (let tries = 1; outcomes.length < 2 && tries < 5; tries += 1) {
    outcomes = await stopAfterClaim();
  }

  expect(outcomes).toEqual(['pending', 'sent']);
});
