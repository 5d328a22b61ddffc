import { Database } from '@fiado/chassis/db/database';
import { PERSON, type Person, personParameters } from '@fiado/chassis/db/personal-data';
import { allowLongStatements, query } from '@fiado/chassis/db/query';
import { QUEUES_SCHEMA } from '@fiado/chassis/db/roles';
import {
  dropOpenJobs,
  eraseWithObjects,
  type ErasurePart,
} from '@fiado/chassis/privacy/erase-part';
import { accountsSchema } from '@fiado/accounts/db/schema';
import type { ErasedPerson } from '@fiado/accounts/privacy/erased-persons';
import { beginReapply, endReapply } from '@fiado/accounts/privacy/reapply-erasure';
import type { ErasedColumnCount } from '@fiado/contracts/jobs/privacy';
import type { Service } from '@fiado/contracts/process-names';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { ERASURE_PART as NOTIFIER } from '@fiado/notifier/messages/erase-messages';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { ERASURE_PART as PAYMENTS } from '@fiado/payments/db/personal-data';
import { recordErasedStore } from '@fiado/transactions/credit-lines/corner-store-copy';
import { transactionsSchema } from '@fiado/transactions/db/schema';
import { ERASURE_PART as TRANSACTIONS } from '@fiado/transactions/db/personal-data';
import { type Say, StartupError } from '../say';

/** One person at a time. */
const POOL_SIZE = 1;

/**
 * Blocks or erases the persons of a list again in a database that was restored from a backup, before the
 * services start. It may be repeated: who is erased already stays as they are.
 * @param ownerUrl of the database's owner, past a pooler
 * @param list lines of the files of erased persons, in any order
 * @throws StartupError for a line that is none of the list
 */
export async function reapplyErasures(ownerUrl: string, list: string, say: Say): Promise<void> {
  const persons = readList(list);
  const databases = Object.fromEntries(
    SCHEMAS.map((schema) => [
      schema.name,
      Database.open(
        schema,
        { url: ownerUrl, poolSize: POOL_SIZE, preparedStatements: false },
        () => {},
      ),
    ]),
  ) as Databases;
  try {
    for (const person of persons)
      say(`erasure ${person.erasureId}: ${await reapply(databases, person)}`);
    say(`${persons.length} erasures of the list are applied`);
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.close()));
  }
}

/** Of the services, and of the queues where they are in Postgres. */
const SCHEMAS = [
  accountsSchema,
  transactionsSchema,
  paymentsSchema,
  notifierSchema,
  { name: QUEUES_SCHEMA },
];

type Databases = Record<Service | typeof QUEUES_SCHEMA, Database>;

/** The last step of each person, who may stand there several times. */
function readList(list: string): ErasedPerson[] {
  const byUser = new Map<string, ErasedPerson>();
  for (const [at, line] of list.split('\n').entries()) {
    if (line.trim() === '') continue;
    const person = parseLine(line);
    if (person === undefined) throw new StartupError(`line ${at + 1} is not of a list of erasures`);
    if (byUser.get(person.userId)?.phase !== 'suppress') byUser.set(person.userId, person);
  }
  return [...byUser.values()];
}

function parseLine(line: string): ErasedPerson | undefined {
  try {
    const person = JSON.parse(line) as Partial<ErasedPerson>;
    const isWhole =
      person.erasureId && person.userId && person.cornerStoreId && person.request && person.phase;
    return isWhole && person.phoneIndexes ? (person as ErasedPerson) : undefined;
  } catch {
    return undefined;
  }
}

/** @returns what was done, for a person who restores */
async function reapply(
  { accounts, transactions, payments, notifier, bullmq }: Databases,
  erased: ErasedPerson,
): Promise<string> {
  const begun = await accounts.transaction((tx) => beginReapply(tx, erased));
  if (begun === 'done') return 'done already';
  if (begun === 'unknown') return 'of a person who is not in this database';

  const { person, version } = begun;
  const counts: string[] = [];
  let dropped = 0;
  const note = (part: string, rows: ErasedColumnCount[]): void =>
    void counts.push(`${part} ${rows.reduce((sum, one) => sum + one.rows, 0)}`);
  const erase = (db: Database, part: ErasurePart): Promise<void> =>
    db.transaction(async (tx) => {
      const { rows, objectIds } = await eraseWithObjects(tx, part, person, erased.phase);
      person.objectIds = [...person.objectIds, ...objectIds];
      note(part.service, rows);
      dropped += await dropOpenJobs(tx, person);
    });
  await erase(transactions, TRANSACTIONS);
  await recordErasedStore(transactions, { cornerStoreId: erased.cornerStoreId, version });
  await erase(payments, PAYMENTS);
  await erase(notifier, NOTIFIER);
  if (await hasQueues(accounts)) await forgetQueuedJobs(bullmq, person);
  // Last: until then a repeated start finds the phones.
  await accounts.transaction(async (tx) => {
    // Before the jobs of the erasure itself.
    dropped += await dropOpenJobs(tx, person);
    note('accounts', await endReapply(tx, erased, person));
  });
  const done = erased.phase === 'block' ? 'blocked' : 'erased';
  return `${done} again; values: ${counts.join(', ')}; jobs that waited: ${dropped}`;
}

async function hasQueues(db: Database): Promise<boolean> {
  return (
    (await query(db, 'SELECT FROM pg_namespace WHERE nspname = $1', [QUEUES_SCHEMA])).length > 0
  );
}

/**
 * Deletes the jobs that name a person from queues in Postgres, alone or in a bundle with those of others:
 * the outboxes add again what is not done. Queues in Redis are emptied by who restores.
 */
function forgetQueuedJobs(queues: Database, person: Person): Promise<void> {
  return queues.transaction(async (tx) => {
    await allowLongStatements(tx);
    await query(
      tx,
      `DELETE FROM ${QUEUES_SCHEMA}.job own USING ${PERSON}
        WHERE EXISTS (SELECT FROM unnest(person.texts) AS text WHERE strpos(own.data::text, text) > 0)`,
      personParameters(person),
    );
  });
}
