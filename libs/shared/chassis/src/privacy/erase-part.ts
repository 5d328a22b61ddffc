import { announceEvent } from '@fiado/contracts/jobs/announce-event';
import { cornerStoreChanged } from '@fiado/contracts/jobs/corner-stores';
import {
  type ErasedColumnCount,
  type ErasurePhase,
  personErased,
  type PersonErase,
  type PersonKeys,
} from '@fiado/contracts/jobs/privacy';
import { sendMessage } from '@fiado/contracts/jobs/send-message';
import { newId } from '@fiado/contracts/new-id';
import type { Service } from '@fiado/contracts/process-names';
import type { Transaction } from '../db/database';
import { countKept, erasePerson } from '../db/erase-person';
import {
  type Person,
  type PersonalData,
  OUTBOX_OF_PERSON,
  PERSON,
  personParameters,
  selectOfPerson,
} from '../db/personal-data';
import { allowLongStatements, query, queryRow } from '../db/query';
import { appendToOutbox, outboxRows } from '../outbox/append';
import { enterInbox } from '../outbox/inbox';
import type { Foundation } from '../service';

/** The part of a service in the erasure of a person. */
export interface ErasurePart {
  service: Service;
  data: PersonalData;
  /** Tables whose ids other services keep without a person. */
  objects?: string[];
  /** SQL of one row: when a debt of the user $1 and store $2 last closed, or a deposit came. */
  lastMoney?: string;
  /** Further work that is done first, in the same database transaction. */
  before?: (tx: Transaction, person: Person, phase: ErasurePhase) => Promise<void>;
}

/** Does a service's part of an erasure once, and reports it to accounts in the same database transaction. */
export async function erasePart(
  { db }: Pick<Foundation, 'db'>,
  messageId: string,
  job: PersonErase,
  part: ErasurePart,
): Promise<void> {
  const { service, lastMoney } = part;
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const person = personOf(job);
    const { rows, objectIds } = await eraseWithObjects(tx, part, person, job.phase);
    const { data: keptRows } = await countKept(tx, part.data, person);
    const lastMoneyAt = lastMoney && (await lastMoneyOf(tx, lastMoney, person));
    const answer = {
      erasureId: job.erasureId,
      service,
      rows,
      objectIds,
      keptRows,
      ...(lastMoneyAt && { lastMoneyAt }),
    };
    await appendToOutbox(tx, outboxRows(personErased, { id: newId(), version: 1 }, answer));
  });
}

/** Erases what a phase erases of a person in a service, with what only names the person's objects. */
export async function eraseWithObjects(
  tx: Transaction,
  part: ErasurePart,
  person: Person,
  phase: ErasurePhase,
): Promise<{ rows: ErasedColumnCount[]; objectIds: string[] }> {
  const { known, objectIds } = await withObjects(tx, part, person);
  await part.before?.(tx, known, phase);
  return { rows: await erasePerson(tx, part.data, known, phase), objectIds };
}

/** Jobs that carry values of a person. Without one, every sum is the same. */
const JOBS_WITH_VALUES = [sendMessage.type, announceEvent.type, cornerStoreChanged.type];

/**
 * Deletes the open jobs of a service that would send an SMS to a person or an event about one, or that
 * carry an older copy of the store. Only where no service runs: elsewhere one may be under way. Jobs about
 * money stay, and the events about the erasure itself: a wholesaler must act on its own copy.
 */
export async function dropOpenJobs(tx: Transaction, person: Person): Promise<number> {
  const dropped = await query(
    tx,
    `DELETE FROM outbox own USING ${PERSON}
      WHERE own.done_at IS NULL AND own.type = ANY ($7) AND (${OUTBOX_OF_PERSON})
        AND coalesce(own.data ->> 'type', '') NOT IN ('corner-store.blocked', 'corner-store.erased')
     RETURNING 1`,
    [...personParameters(person), JOBS_WITH_VALUES],
  );
  return dropped.length;
}

/** The ids that a service itself knows of a person's objects, and the person with them. */
export async function withObjects(
  tx: Transaction,
  { data, objects = [] }: Pick<ErasurePart, 'data' | 'objects'>,
  person: Person,
): Promise<{ known: Person; objectIds: string[] }> {
  // A table may be read as a whole, as by the erasure itself.
  await allowLongStatements(tx);
  const objectIds = await objectIdsOf(tx, data, objects, person);
  return { known: { ...person, objectIds: [...person.objectIds, ...objectIds] }, objectIds };
}

/** The person whom a job is about. */
export function personOf({
  userId,
  cornerStoreId,
  phoneIndexes,
  objectIds,
  nameKey,
}: PersonKeys & Partial<PersonErase>): Person {
  return {
    userId,
    cornerStoreId,
    objectIds,
    phoneIndexes: phoneIndexes.map((index) => Buffer.from(index, 'base64')),
    ...(nameKey !== undefined && { nameKey: Buffer.from(nameKey, 'base64') }),
  };
}

async function lastMoneyOf(
  tx: Transaction,
  text: string,
  { userId, cornerStoreId }: Person,
): Promise<string | undefined> {
  const found = await queryRow<{ at: Date | null }>(tx, text, [userId, cornerStoreId]);
  return found?.at?.toISOString();
}

/** Ids of a person's rows in tables whose key is `id`. */
export async function objectIdsOf(
  tx: Transaction,
  { tables }: PersonalData,
  names: string[],
  person: Person,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { find, ...table } of tables) {
    if (find === undefined || !names.includes(table.table)) continue;
    const text = selectOfPerson({ ...table, find }, 'own.id');
    const rows = await query<{ id: string }>(tx, text, personParameters(person));
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
