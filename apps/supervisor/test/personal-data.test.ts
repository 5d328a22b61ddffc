import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PERSONAL_DATA as accounts } from '@fiado/accounts/db/personal-data';
import { accountsSchema } from '@fiado/accounts/db/schema';
import { Database } from '@fiado/chassis/db/database';
import { erasePerson, findLeftovers } from '@fiado/chassis/db/erase-person';
import {
  personalColumns,
  personParameters,
  selectOfPerson,
  type Person,
  type PersonalData,
} from '@fiado/chassis/db/personal-data';
import { readPersonalData } from '@fiado/chassis/privacy/personal-data-pages';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import type { ErasedColumnCount, ErasurePhase } from '@fiado/contracts/jobs/privacy';
import { PERSONAL_DATA as notifier } from '@fiado/notifier/db/personal-data';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { PERSONAL_DATA as payments } from '@fiado/payments/db/personal-data';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { PERSONAL_DATA as transactions } from '@fiado/transactions/db/personal-data';
import { transactionsSchema } from '@fiado/transactions/db/schema';
import { fillTable } from './support/fill-table';

const SCHEMAS = [
  { schema: accountsSchema, data: accounts },
  { schema: transactionsSchema, data: transactions },
  { schema: paymentsSchema, data: payments },
  { schema: notifierSchema, data: notifier },
];

/** Types that can hold neither a text nor bytes. Any other needs a class or a reason. */
const TYPES_WITHOUT_TEXT = [
  'uuid',
  'uuid[]',
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'date',
  'timestamp with time zone',
  'timestamp with time zone[]',
];

/** A wholesaler, a payment provider, or whatever both persons have in common. */
const SHARED = randomUUID();

interface SeededPerson extends Person {
  phoneIndexes: [Buffer];
  objectIds: [string];
  /** In each number and text, so that the rows of the two differ where a table asks for it. */
  number: number;
}

const newPerson = (number: number): SeededPerson => ({
  userId: randomUUID(),
  cornerStoreId: randomUUID(),
  phoneIndexes: [randomBytes(32)],
  objectIds: [randomUUID()],
  number,
});
const [ana, benito, stranger] = [newPerson(1), newPerson(2), newPerson(3)];

/** Tables whose rows are found in two ways: the row of the first person in one, that of the second in the other. */
const ALTERNATIVES: Record<string, (person: SeededPerson) => Record<string, unknown>[]> = {
  '*.outbox': ({ objectIds: [id], phoneIndexes: [index] }) => [
    { aggregate_id: id },
    { aggregate_id: SHARED, data: { phoneIndex: index.toString('base64') } },
  ],
  '*.refusals': ({ userId, cornerStoreId }) => [
    { corner_store_id: cornerStoreId, ids: {} },
    { ids: { userId } },
  ],
  'accounts.change_requests': ({ cornerStoreId }) => [
    { target_id: cornerStoreId },
    { target_id: SHARED, payload: { cornerStoreId } },
  ],
  'payments.deposits': ({ userId }) => [{ user_id: userId, numero_referencia: 'unknown' }, {}],
  'transactions.settlement_lines': ({ objectIds: [id] }) => [
    { transaction_id: id },
    { transaction_id: id },
  ],
  'transactions.invoice_files': ({ objectIds: [id] }) => [
    { transaction_id: id },
    { transaction_id: id },
  ],
  'transactions.tax_documents': ({ objectIds: [id] }) => [
    { transaction_id: id },
    { transaction_id: id },
  ],
  'transactions.waiting_changes': ({ objectIds: [id], cornerStoreId }) => [
    { target_id: id },
    { target_id: SHARED, payload: { cornerStoreId } },
  ],
  'notifier.messages': () => [{ subject_id: SHARED }, { phone_index: randomBytes(32) }],
  'notifier.events': ({ userId }) => [
    { body: '{}' },
    { subject_id: SHARED, body: JSON.stringify({ data: { userId } }) },
  ],
};

describe.each(SCHEMAS)('$schema.name', ({ schema, data }) => {
  let database: TestDatabase;
  let owner: Client;
  beforeAll(async () => {
    database = await createTestDatabase(schema);
    owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    // Rows are written in any order, and no trigger adds more.
    await owner.query('SET session_replication_role = replica');
    await owner.query(`SET search_path TO ${schema.name}`);
    const tables = new Set((await columnsOf(owner, schema.name)).map(({ table }) => table));
    tables.delete('migrations');
    for (const person of [ana, benito]) {
      for (const table of tables) await fill(owner, `${schema.name}.${table}`, person);
    }
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  it('each column that can hold text or bytes has a class, or a reason why it is harmless', async () => {
    const found = (await columnsOf(owner, schema.name))
      .filter(({ type }) => !TYPES_WITHOUT_TEXT.includes(type))
      .map(({ table, column }) => `${table}.${column}`);
    // A column in both lists, or twice in one, is a difference too.
    expect(listedColumns(data)).toEqual(found.toSorted());
  });

  it('rows that no finder finds expire', () => {
    const without = data.tables.filter(({ find }) => find === undefined);
    const columns = personalColumns({ ...data, tables: without });
    expect(columns.filter(({ suppress }) => suppress !== 'expires')).toEqual([]);
  });

  it.each(data.tables.filter(({ find }) => find !== undefined))(
    '$table: finds the row of each of two persons, and none of a third',
    async ({ find = '', ...table }) => {
      const rowsOf = async (person: Person): Promise<unknown[]> => {
        const text = selectOfPerson({ ...table, find }, 'own.ctid');
        return (await owner.query(text, personParameters(person))).rows;
      };
      const [anas, benitos] = [await rowsOf(ana), await rowsOf(benito)];
      expect([anas.length, benitos.length]).toEqual([1, 1]);
      expect(anas).not.toEqual(benitos);
      expect(await rowsOf(stranger)).toEqual([]);
    },
  );

  it('a copy for a person has their rows, and nothing of another', async () => {
    const service = Database.open(schema, database.connection, () => {});
    try {
      const { rows, next } = await service.snapshot((tx) =>
        readPersonalData(tx, { data }, ana, null),
      );
      const copied = data.tables.filter((table) => table.find !== undefined && !table.isInternal);
      expect(new Set(rows.map(({ table }) => table))).toEqual(
        new Set(copied.map(({ table }) => table)),
      );
      expect(next).toBeNull();
      const text = JSON.stringify(rows);
      expect(text).toContain(ana.objectIds[0]);
      for (const value of [benito.userId, benito.cornerStoreId, benito.objectIds[0], 'text 2']) {
        expect(text).not.toContain(value);
      }
    } finally {
      await service.close();
    }
  });

  it('an erasure leaves nothing of the person, and every row of another as it was', async () => {
    // As the service, with its grants and triggers. What is in use stays.
    await owner.query('SET session_replication_role = origin');
    await owner.query('UPDATE outbox SET done_at = now()');
    if (schema.name === 'notifier') {
      await owner.query("UPDATE messages SET status = 'sent', claimed_until = NULL");
    }
    const tables = data.tables.filter(({ find }) => find !== undefined);
    const rowsOf = async (person: Person): Promise<unknown[][]> => {
      const rows: unknown[][] = [];
      for (const { find = '', ...table } of tables) {
        const text = selectOfPerson({ ...table, find });
        rows.push((await owner.query(text, personParameters(person))).rows);
      }
      return rows;
    };
    const others = await rowsOf(benito);
    const service = Database.open(schema, database.connection, () => {});
    const erase = (phase: ErasurePhase): Promise<ErasedColumnCount[]> =>
      service.transaction((tx) =>
        erasePerson(tx, data, { ...ana, nameKey: Buffer.alloc(32) }, phase),
      );
    try {
      const blocked = await erase('block');
      const afterBlock = await service.transaction((tx) => findLeftovers(tx, data, ana, 'block'));
      expect(afterBlock).toEqual([]);
      const before = await service.transaction((tx) => findLeftovers(tx, data, ana, 'suppress'));
      const suppressed = await erase('suppress');
      const erasable = personalColumns({ ...data, tables }).filter(
        ({ suppress }) => suppress !== 'kept' && suppress !== 'expires',
      );
      const erased = [...blocked, ...suppressed].map(({ table, column }) => `${table}.${column}`);
      // A column that may be null is not filled.
      expect(erasable.map(({ table, column }) => `${table}.${column}`)).toEqual(
        expect.arrayContaining(erased),
      );
      expect(suppressed).not.toEqual([]);
      // What is still there is what the phase then erases.
      expect(new Set(before)).toEqual(new Set(suppressed));
      const left = await service.transaction((tx) => findLeftovers(tx, data, ana, 'suppress'));
      expect(left).toEqual([]);
      expect(await erase('suppress')).toEqual([]);
    } finally {
      await service.close();
    }
    expect(await rowsOf(benito)).toEqual(others);
  });
});

function listedColumns(data: PersonalData): string[] {
  const personal = personalColumns(data).map(({ table, column }) => `${table}.${column}`);
  return [...personal, ...data.harmless.flatMap(({ columns }) => columns)].toSorted();
}

async function columnsOf(
  owner: Client,
  schema: string,
): Promise<{ table: string; column: string; type: string }[]> {
  const { rows } = await owner.query(
    `SELECT relname AS table, attname AS column,
            regexp_replace(format_type(atttypid, atttypmod), '\\(.*\\)', '') AS type
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p')
        AND attnum > 0 AND NOT attisdropped`,
    [schema],
  );
  return rows;
}

/** Adds a row about a person to a table; its values say nothing of any other person. */
function fill(owner: Client, table: string, person: SeededPerson): Promise<void> {
  const { userId, cornerStoreId, number } = person;
  const [objectId] = person.objectIds;
  const [phoneIndex] = person.phoneIndexes;
  const byColumn: Record<string, unknown> = {
    user_id: userId,
    corner_store_id: cornerStoreId,
    wholesaler_id: SHARED,
    payment_provider_id: SHARED,
    owner_id: SHARED,
    phone_index: phoneIndex,
  };
  const byType: Record<string, unknown> = {
    uuid: objectId,
    text: `text ${number}`,
    bytea: Buffer.from(`bytes ${number}`),
    integer: number,
    bigint: number,
  };
  const byTable: Record<string, Record<string, unknown>> = {
    'accounts.users': { id: userId },
    'accounts.corner_stores': { id: cornerStoreId },
    'accounts.account_links': { phone_index: phoneIndex },
    'accounts.audit_log': { object_id: cornerStoreId },
    'accounts.erased_phones': { keyed_hash: phoneIndex },
  };
  const alternatives = ALTERNATIVES[table] ?? ALTERNATIVES[table.replace(/^\w+/, '*')];
  const more = alternatives?.(person)[number - 1] ?? byTable[table];
  return fillTable(owner, table, ({ column, type }) => byColumn[column] ?? byType[type], more);
}
