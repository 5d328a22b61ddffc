import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { claimMessages } from '@fiado/notifier/messages/claim-messages.sql';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { Database } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { until } from '@fiado/chassis/testing/until';
import { Child } from './support/child';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { cpuSeconds } from './support/cpu';
import { BenchDatabase } from './support/database';
import { drawSecrets } from './support/system';
import { insertMessages } from './support/waiting-sms';

/** Messages of one wholesaler, of which its cap lets 300 out in a minute. */
const WAITING = 100_000;
/** A minute of the cap: the same share of what waits, and of what is sent, in each run. */
const MEASURED_MS = 60_000;
/** After the start and after the messages came, in which statistics and buffers settle. */
const SETTLE_MS = 20_000;
const CLAIMS = 200;
/** Of one wholesaler in a minute, as by default. */
const CAP = 300;
const ROOT = resolve(__dirname, '../..');

/** How the table's writes and the server's log stand. */
interface Written {
  updates: number;
  sent: number;
  walBytes: number;
}

/**
 * Measures the cost of messages behind a wholesaler's cap: CPU of the notifier and its Postgres,
 * writes for each message that is sent, and the claim of another wholesaler's message; without them
 * and with 100,000.
 */
async function main(): Promise<void> {
  await cleaningUp(async (cleanup) => {
    const folder = await cleanup.makeFolder('fiado-backlog-');
    const db = await BenchDatabase.start(join(folder, 'postgres'), false);
    cleanup.add(() => db.stop());
    for (const waiting of [0, WAITING]) await measure(db, waiting, { folder, cleanup });
  });
}

async function measure(
  db: BenchDatabase,
  waiting: number,
  { folder, cleanup }: { folder: string; cleanup: Cleanup },
): Promise<void> {
  const database = `backlog_${waiting}`;
  await db.create(database);
  const [port] = await freePorts(1);
  const env = {
    ...drawSecrets(),
    ...testKeyVariables('notifier'),
    DATABASE_URL: db.urlOf(database),
    NOTIFIER_PORT: String(port),
  };
  const spawn = (...args: string[]) =>
    new Child({
      name: `notifier-${waiting}${args.join('')}`,
      command: process.execPath,
      args: [`${ROOT}/services/notifier/dist/main.js`, ...args],
      env,
      folder,
    });
  await spawn('migrate').finish();
  await insertMessages(db, database, waiting);

  const notifier = spawn();
  cleanup.add(() => notifier.stop());
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('the notifier is ready', isReady);
  await pause(SETTLE_MS);

  const serverPid = await db.serverPid();
  const cpu = () => cpuSeconds(new Map([['notifier', notifier.pid]]), serverPid);
  const [before, writtenBefore] = [cpu(), await written(db, database)];
  await pause(MEASURED_MS);
  const [after, writtenAfter] = [cpu(), await written(db, database)];
  await notifier.stop();

  const shareOf = (name: string) =>
    (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 100_000) / MEASURED_MS;
  const sent = writtenAfter.sent - writtenBefore.sent;
  const perSent = (count: number) => (sent === 0 ? '-' : (count / sent).toFixed(2));
  say(`${waiting} waiting behind a cap`);
  say(`  CPU of the notifier    ${shareOf('notifier').toFixed(2)} % of a core`);
  say(`  CPU of its Postgres    ${shareOf('postgres').toFixed(2)} % of a core`);
  say(`  messages sent          ${sent}`);
  say(`  updates for each sent  ${perSent(writtenAfter.updates - writtenBefore.updates)}`);
  say(
    `  WAL                    ${((writtenAfter.walBytes - writtenBefore.walBytes) / 1e6).toFixed(2)} MB`,
  );
  say(
    `  claim of another wholesaler's message, p50  ${(await claimMs(db, database)).toFixed(2)} ms`,
  );
}

async function written(db: BenchDatabase, database: string): Promise<Written> {
  const [row] = await db.query<Written>(
    database,
    `SELECT n_tup_upd::float8 AS updates,
            (SELECT count(*)::float8 FROM notifier.messages WHERE attempts > 0) AS sent,
            (pg_current_wal_lsn() - '0/0')::float8 AS "walBytes"
       FROM pg_stat_user_tables WHERE schemaname = 'notifier' AND relname = 'messages'`,
  );
  if (row === undefined) throw new Error('There is no table of messages');
  return row;
}

/** The middle of what it takes to claim the one due message of another wholesaler. */
async function claimMs(db: BenchDatabase, database: string): Promise<number> {
  const source = Database.open(
    notifierSchema,
    { url: db.urlOf(database), poolSize: 2, preparedStatements: true },
    () => {},
  );
  const claim = () =>
    claimMessages(source, {
      claimId: randomUUID(),
      provider: 'bench',
      limit: 40,
      perPhone: 20,
      perPhoneAndWholesaler: 15,
      perWholesaler: CAP,
      wipe: true,
    });
  // The claims of this minute are used up first, so that all waiting messages are behind the cap.
  while ((await claim()).claimed.length > 0);

  const times: number[] = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    await query(
      source,
      `INSERT INTO messages (id, template, wholesaler_id, subject_id, phone_index, phone_masked,
                             sealed, expires_at)
       VALUES (gen_random_uuid(), 'order-code', '00000000-0000-4000-8000-000000000002',
               gen_random_uuid(), decode(md5('other' || $1), 'hex'), '***', '\\x00',
               now() + interval '10 minutes')`,
      [n],
    );
    const startedAt = performance.now();
    await claim();
    times.push(performance.now() - startedAt);
  }
  await source.close();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
