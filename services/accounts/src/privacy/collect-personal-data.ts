import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Person } from '@fiado/chassis/db/personal-data';
import { readPersonalData } from '@fiado/chassis/privacy/personal-data-pages';
import { maskPhone } from '@fiado/contracts/phone';
import {
  type PersonalDataAnswer,
  personalDataCall,
  type PersonalRow,
} from '@fiado/contracts/personal-data';
import type { Service } from '@fiado/contracts/process-names';
import type { Context } from '../context';
import { PERSONAL_DATA } from '../db/personal-data';
import { SEALED_TABLES } from '../db/sealed-columns';

/** Rows by the service and the table that has them. */
export type CollectedData = Record<Service, Record<string, Record<string, unknown>[]>>;

type ReadPage = (person: Person, from: PersonalDataAnswer['next']) => Promise<PersonalDataAnswer>;

/**
 * Reads what every service keeps of a person. Contacts have masked phones: they are other persons.
 * @throws AppError SERVICE_UNAVAILABLE when one cannot be asked: half of a copy is none
 */
export async function collectPersonalData(
  context: Context,
  person: Person,
): Promise<CollectedData> {
  const { db, sealer, slowTransactions, slowPayments, slowNotifier } = context;
  const transactions = await readAll(asking(slowTransactions), person);
  const payments = await readAll(asking(slowPayments), person);
  const objectIds = [...person.objectIds, ...transactions.objectIds, ...payments.objectIds];
  const all = { ...person, objectIds };
  const notifier = await readAll(asking(slowNotifier), all);
  const reading = { data: PERSONAL_DATA, sealed: SEALED_TABLES, sealer };
  const accounts = await readAll(
    (of, from) => db.snapshot((tx) => readPersonalData(tx, reading, of, from)),
    all,
  );
  return {
    accounts: byTable(accounts.rows.map(withMaskedContacts)),
    transactions: byTable(transactions.rows),
    payments: byTable(payments.rows),
    notifier: byTable(notifier.rows),
  };
}

function asking(client: InternalClient): ReadPage {
  return ({ userId, cornerStoreId, phoneIndexes, objectIds }, from) =>
    client.ask(personalDataCall, {
      userId,
      cornerStoreId,
      objectIds,
      phoneIndexes: phoneIndexes.map((index) => index.toString('base64')),
      ...from,
    });
}

async function readAll(
  read: ReadPage,
  person: Person,
): Promise<{ rows: PersonalRow[]; objectIds: string[] }> {
  const { rows, objectIds, next } = await read(person, null);
  // Rows of later pages are found by the ids of the person's own orders and debts too.
  const known = { ...person, objectIds: [...person.objectIds, ...objectIds] };
  for (let from = next; from !== null;) {
    const page = await read(known, from);
    rows.push(...page.rows);
    from = page.next;
  }
  return { rows, objectIds };
}

function byTable(rows: PersonalRow[]): Record<string, Record<string, unknown>[]> {
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const { table, fields } of rows) (tables[table] ??= []).push(fields);
  return tables;
}

function withMaskedContacts(row: PersonalRow): PersonalRow {
  const { contacts } = row.fields;
  if (row.table !== 'users' || !Array.isArray(contacts)) return row;
  const masked = (contacts as { fullName: string; phoneNumber: string }[]).map(
    ({ fullName, phoneNumber }) => ({ fullName, phoneNumber: maskPhone(phoneNumber) }),
  );
  return { ...row, fields: { ...row.fields, contacts: masked } };
}
