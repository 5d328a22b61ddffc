import { Database } from '@fiado/chassis/db/database';
import { eraseWithObjects, type ErasurePart } from '@fiado/chassis/privacy/erase-part';
import type { ErasedPerson } from '@fiado/accounts/privacy/erased-persons';
import { beginReapply, endReapply } from '@fiado/accounts/privacy/reapply-erasure';
import type { ErasedColumnCount } from '@fiado/contracts/jobs/privacy';
import { ERASURE_PART as NOTIFIER } from '@fiado/notifier/messages/erase-messages';
import { ERASURE_PART as PAYMENTS } from '@fiado/payments/db/personal-data';
import { recordErasedStore } from '@fiado/transactions/credit-lines/corner-store-copy';
import { ERASURE_PART as TRANSACTIONS } from '@fiado/transactions/db/personal-data';
import { type Say, StartupError } from '../say';

/** One person at a time. */
const POOL_SIZE = 1;

/**
 * Erases the persons of a list again in a database that was restored from a backup, before the services
 * start. It may be repeated: who is erased already stays as they are.
 * @param ownerUrl of the database's owner, past a pooler
 * @param list lines of the files of erased persons; the last line of an erasure counts
 * @throws StartupError for a line that is none of the list
 */
export async function reapplyErasures(ownerUrl: string, list: string, say: Say): Promise<void> {
  const persons = readList(list);
  const databases = Object.fromEntries(
    (['accounts', 'transactions', 'payments', 'notifier'] as const).map((name) => [
      name,
      Database.open(
        name,
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

type Databases = Record<'accounts' | 'transactions' | 'payments' | 'notifier', Database>;

function readList(list: string): ErasedPerson[] {
  const byId = new Map<string, ErasedPerson>();
  for (const [at, line] of list.split('\n').entries()) {
    if (line.trim() === '') continue;
    const person = parseLine(line);
    if (person === undefined) throw new StartupError(`line ${at + 1} is not of a list of erasures`);
    byId.set(person.erasureId, person);
  }
  return [...byId.values()];
}

function parseLine(line: string): ErasedPerson | undefined {
  try {
    const person = JSON.parse(line) as Partial<ErasedPerson>;
    const isWhole = person.erasureId && person.userId && person.cornerStoreId && person.request;
    return isWhole && person.phoneIndexes ? (person as ErasedPerson) : undefined;
  } catch {
    return undefined;
  }
}

/** @returns what was done, for a person who restores */
async function reapply(
  { accounts, transactions, payments, notifier }: Databases,
  erased: ErasedPerson,
): Promise<string> {
  const begun = await accounts.transaction((tx) => beginReapply(tx, erased));
  if (begun === 'erased') return 'done already';
  if (begun === 'unknown') return 'of a person who is not in this database';

  const { person, version } = begun;
  const counts: string[] = [];
  const note = (part: string, rows: ErasedColumnCount[]): void =>
    void counts.push(`${part} ${rows.reduce((sum, one) => sum + one.rows, 0)}`);
  const erase = async (db: Database, part: ErasurePart): Promise<void> => {
    const { rows, objectIds } = await db.transaction((tx) =>
      eraseWithObjects(tx, part, person, 'suppress'),
    );
    person.objectIds = [...person.objectIds, ...objectIds];
    note(part.service, rows);
  };
  await erase(transactions, TRANSACTIONS);
  await recordErasedStore(transactions, { cornerStoreId: erased.cornerStoreId, version });
  await erase(payments, PAYMENTS);
  await erase(notifier, NOTIFIER);
  // Last: until then a repeated start finds the phones.
  note('accounts', await accounts.transaction((tx) => endReapply(tx, erased, person)));
  return `erased again; values: ${counts.join(', ')}`;
}
