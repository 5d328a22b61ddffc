/**
 * What a class of personal data holds, why it is kept, and what becomes of a column when a person is
 * blocked and when the retention ends. `docs/privacy.md` lists the classes.
 */
interface DataClass {
  title: string;
  why: string;
  block: BlockAction;
  suppress: SuppressAction;
}

/** `ended`: an open message or job does not happen. */
type BlockAction = 'kept' | 'wiped' | 'wiped-unless-approved' | 'ended';

/**
 * `done` by the block · `wiped` to null · `blanked` to an empty value · `randomized`: a unique index that
 * finds nobody · `renamed`: `erased-` and 12 hexadecimal digits, where a value must be unique · `deleted`
 * with its row · `expires`: its row is deleted after a fixed time anyway.
 */
type SuppressAction =
  | 'kept'
  | 'done'
  | 'wiped'
  | 'blanked'
  | 'randomized'
  | 'renamed'
  | 'deleted'
  | 'expires';

export const DATA_CLASSES = {
  voluntary: {
    title: 'places, contacts, notes',
    why: 'Helps to deliver and to reach the store. No law asks to keep it.',
    block: 'wiped',
    suppress: 'done',
  },
  images: {
    title: 'images',
    why: 'Prove who the owner is and that the store exists, for the decision on its credit.',
    block: 'wiped-unless-approved',
    suppress: 'wiped',
  },
  identity: {
    title: 'identity',
    why: 'Says with whom the contract is, and where codes and notices go.',
    block: 'kept',
    suppress: 'wiped',
  },
  'wholesaler-names': {
    title: 'names that wholesalers give',
    why: 'Ties a store and its orders to the records of the wholesaler. May contain a phone or a name.',
    block: 'kept',
    suppress: 'renamed',
  },
  'payer-text': {
    title: 'texts of payments',
    why: 'Proves what a payment provider reported, word for word.',
    block: 'kept',
    suppress: 'blanked',
  },
  'free-text': {
    title: 'texts that people typed',
    why: 'Says why a decision was taken. May contain anything.',
    block: 'kept',
    suppress: 'blanked',
  },
  transient: {
    title: 'messages, events, jobs',
    why: 'Is needed until it is delivered, and for some time to explain what happened.',
    block: 'ended',
    suppress: 'deleted',
  },
  money: {
    title: 'money',
    why: 'Orders, debts, references and invoices: the accounts of the lender, and what the store owes.',
    block: 'kept',
    suppress: 'kept',
  },
  audit: {
    title: 'consents and audit',
    why: 'Proves who did what, and that the owner agreed. Contains ids and no names.',
    block: 'kept',
    suppress: 'kept',
  },
} as const satisfies Record<string, DataClass>;

export type DataClassName = keyof typeof DATA_CLASSES;

/** A table with rows about the owners of corner stores. */
export interface PersonalTable {
  table: string;
  /** For readers of `docs/privacy.md`. */
  what: string;
  /**
   * SQL: whether a row `own` is about `person`, whose columns are those of PERSON. Absent where nothing
   * in a row tells whose it is: such rows expire.
   */
  find?: string;
  /** How long a row is kept. */
  kept: string;
  /** Rows that go with a deleted row: their table, and the column that has its `id`. */
  parts?: { part: string; refersBy: string }[];
  /** A copy for the person leaves it out: the rows repeat others, or name others. */
  isInternal?: true;
  /** SQL: whether something works on a row `own`, which therefore is not deleted but ends by itself. */
  inUse?: string;
  /** By column. A column without actions has the actions of its class. */
  columns: Record<string, DataClassName | PersonalColumn>;
}

type PersonalColumn = { class: DataClassName } & Partial<Pick<DataClass, 'block' | 'suppress'>>;

/** The class of a column as a table lists it. */
export function classOf(column: DataClassName | PersonalColumn): DataClassName {
  return typeof column === 'string' ? column : column.class;
}

/** Columns, as `table.column`, that tell nothing of the owner of a corner store. */
export interface HarmlessColumns {
  why: string;
  columns: string[];
}

/** Every column of a schema that can hold text or bytes: a test compares them with the schema. */
export interface PersonalData {
  tables: PersonalTable[];
  harmless: HarmlessColumns[];
}

/** The actions on one column. */
export interface ColumnActions {
  table: string;
  column: string;
  class: DataClassName;
  block: BlockAction;
  suppress: SuppressAction;
}

/** The personal columns of a schema, one by one. */
export function personalColumns({ tables }: PersonalData): ColumnActions[] {
  return tables.flatMap(({ table, columns }) =>
    Object.entries(columns).map(([column, given]) => {
      const own = typeof given === 'string' ? { class: given } : given;
      const { block, suppress } = DATA_CLASSES[own.class];
      return { table, column, block, suppress, ...own };
    }),
  );
}

/** The owner of a corner store, as accounts knows them. */
export interface Person {
  userId: string;
  cornerStoreId: string;
  /** Blind indexes of the phones that the person has had. */
  phoneIndexes: Buffer[];
  /**
   * Ids of the person's orders, deposits and payouts. transactions and payments know them; other
   * services have rows that name nothing else.
   */
  objectIds: string[];
  /** Random bytes of one erasure: renamed values are hashes with it, and nobody keeps it. */
  nameKey?: Buffer;
}

/** The person, as a finder refers to it; its parameters are those of `personParameters`. */
export const PERSON = `(SELECT $1::uuid AS user_id, $2::uuid AS corner_store_id,
                               $3::bytea[] AS phone_indexes, $4::uuid[] AS ids, $5::text[] AS texts,
                               $6::bytea AS name_key) person`;

export function personParameters(person: Person): unknown[] {
  const { userId, cornerStoreId, phoneIndexes, objectIds, nameKey } = person;
  const ids = [userId, cornerStoreId, ...objectIds];
  const texts = [...ids, ...phoneIndexes.map((index) => index.toString('base64'))];
  return [userId, cornerStoreId, phoneIndexes, ids, texts, nameKey ?? null];
}

/** The statement that reads a person's rows of a table. It may read the whole table. */
export function selectOfPerson(
  { table, find }: PersonalTable & { find: string },
  selected = 'own.*',
): string {
  return `SELECT ${selected} FROM ${table} own CROSS JOIN ${PERSON} WHERE ${find}`;
}

/** SQL: whether any value in a jsonb is an id, or the index of a phone, of the person. */
export function namesPerson(json: string): string {
  return `EXISTS (SELECT FROM jsonb_path_query(${json}, '$.**') AS value
                   WHERE value #>> '{}' = ANY (person.texts))`;
}

/** Reasons why columns are harmless. */
export const HARMLESS = {
  fixed: 'a value of a fixed list, a code or a time zone',
  party: 'of a wholesaler or a payment provider',
  staff: 'of the lender’s staff, or of a driver of a wholesaler',
  secret: 'a secret, a salt or a hash',
  technical: 'names of technical things',
} as const;

/** @param byTable the names of the columns of each table */
export function harmlessColumns(why: string, byTable: Record<string, string[]>): HarmlessColumns {
  const columns = Object.entries(byTable).flatMap(([table, names]) =>
    names.map((name) => `${table}.${name}`),
  );
  return { why, columns };
}

/** SQL: whether a row `own` of an outbox is about a person. */
export const OUTBOX_OF_PERSON = `own.aggregate_id = ANY (person.ids) OR ${namesPerson('own.data')}`;

/** Personal data in the tables that every schema has. */
export const CHASSIS_PERSONAL_DATA: PersonalData = {
  tables: [
    {
      table: 'outbox',
      what: 'jobs for other services: ids, amounts, encrypted phones and texts of SMS',
      find: OUTBOX_OF_PERSON,
      kept: '24 hours after it was done; one that failed, until it is done',
      isInternal: true,
      // An open job must run. A done job has no data; a job of an erasure has only ids and indexes.
      inUse: `own.done_at IS NULL OR own.data IS NULL OR own.type IN ('person.erase', 'person.erased')`,
      columns: { data: 'transient' },
    },
    {
      table: 'idempotency_keys',
      what: 'encrypted answers, for requests that are repeated',
      kept: '24 hours',
      columns: {
        body: { class: 'transient', suppress: 'expires' },
        request_hash: { class: 'transient', suppress: 'expires' },
        canonical_hash: { class: 'transient', suppress: 'expires' },
      },
    },
  ],
  harmless: [
    harmlessColumns(HARMLESS.technical, {
      outbox: ['queue', 'type', 'bundle', 'dead_reason', 'request_id', 'traceparent'],
      key_fingerprints: ['name'],
      migrations: ['name'],
    }),
    harmlessColumns(HARMLESS.secret, {
      idempotency_keys: ['id'],
      key_fingerprints: ['fingerprint'],
    }),
  ],
};

/** Columns of a schema with `CREATE_DATA_KEYS`. */
export const DATA_KEY_COLUMNS: HarmlessColumns[] = [
  harmlessColumns(HARMLESS.technical, { data_keys: ['kind'], sealed_tables: ['name'] }),
  harmlessColumns(HARMLESS.secret, { data_keys: ['wrapped'] }),
];

/** The table of a schema with `CREATE_REFUSALS`. */
export const REFUSALS_PERSONAL_DATA: PersonalTable = {
  table: 'refusals',
  what: 'requests of wholesalers that were refused, with the ids that they named',
  find: `own.corner_store_id = person.corner_store_id OR ${namesPerson('own.ids')}`,
  kept: '30 days',
  columns: { ids: 'transient' },
};

export const REFUSAL_COLUMNS = harmlessColumns(HARMLESS.technical, {
  refusals: ['operation', 'error_code', 'request_id'],
});
