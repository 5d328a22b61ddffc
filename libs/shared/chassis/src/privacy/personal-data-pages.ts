import { BATCH_BODY_LIMIT, BATCH_MAX_VALUES } from '@fiado/contracts/body-limits';
import {
  PERSONAL_DATA_PAGE,
  type PersonalDataAnswer,
  personalDataCall,
  type PersonalRow,
} from '@fiado/contracts/personal-data';
import type { Transaction } from '../db/database';
import {
  HARMLESS,
  PERSON,
  type Person,
  personalColumns,
  type PersonalData,
  type PersonalTable,
  personParameters,
} from '../db/personal-data';
import { allowLongStatements, fieldOf, query } from '../db/query';
import { internalEndpoint } from '../http/endpoint';
import type { Sealer } from '../keys/sealing';
import type { SealedTable } from '../keys/sealed-tables';
import type { Foundation } from '../service';
import { objectIdsOf, personOf } from './erase-part';

/** Reads the data that a service keeps of a person. */
export interface PersonalReading {
  data: PersonalData;
  sealed?: SealedTable[];
  /** Opens sealed values, in a service that seals. */
  sealer?: Sealer;
  /** Tables whose ids other services keep without a person. */
  objects?: string[];
}

/** The endpoint of a service that accounts asks for a copy of what is kept of a person. */
export function personalDataEndpoint<Context extends Pick<Foundation, 'db'>>(
  readingOf: (context: Context) => PersonalReading,
) {
  return internalEndpoint({
    call: personalDataCall,
    allow: ['service:accounts'],
    bodyLimit: BATCH_BODY_LIMIT,
    maxValues: BATCH_MAX_VALUES,
    handle: (context: Context, { table, after, ...keys }) => {
      const from = table === undefined || after === undefined ? null : { table, after };
      return context.db.snapshot((tx) =>
        readPersonalData(tx, readingOf(context), personOf(keys), from),
      );
    },
  });
}

/** A page of what a schema keeps of a person, in the order of the tables and of their keys. */
export async function readPersonalData(
  tx: Transaction,
  reading: PersonalReading,
  person: Person,
  from: { table: string; after: string } | null,
): Promise<PersonalDataAnswer> {
  await allowLongStatements(tx);
  const { data, objects = [] } = reading;
  const objectIds = from === null ? await objectIdsOf(tx, data, objects, person) : [];
  const known = { ...person, objectIds: [...person.objectIds, ...objectIds] };
  const tables = data.tables.filter(({ find, isInternal }) => find !== undefined && !isInternal);
  const begin = from === null ? 0 : tables.findIndex(({ table }) => table === from.table);
  const rows: PersonalRow[] = [];
  for (const [at, table] of tables.entries()) {
    if (at < begin) continue;
    const after = at === begin && from !== null ? from.after : '';
    const limit = PERSONAL_DATA_PAGE - rows.length;
    const found = await readRows(tx, reading, table, { person: known, after, limit });
    rows.push(...found.map(({ fields }) => ({ table: table.table, fields })));
    const last = found.at(-1);
    if (rows.length === PERSONAL_DATA_PAGE && last !== undefined) {
      return { rows, objectIds, next: { table: table.table, after: last.key } };
    }
  }
  return { rows, objectIds, next: null };
}

interface Page {
  person: Person;
  /** Key of the row before it; empty for the first page. */
  after: string;
  limit: number;
}

async function readRows(
  tx: Transaction,
  reading: PersonalReading,
  { table, find = 'false' }: PersonalTable,
  { person, after, limit }: Page,
): Promise<{ key: string; fields: Record<string, unknown> }[]> {
  const sealed = reading.sealed?.find((one) => one.table === table);
  const bound = (sealed?.columns ?? []).map(
    ({ boundTo }, at) => `(${boundTo ?? `${table}.${sealed?.id}`})::text AS bound_${at}`,
  );
  const key = `(${await keyOf(tx, table)})`;
  const found = await query<Record<string, unknown> & { pageKey: string }>(
    tx,
    `SELECT ${[`${table}.*`, `${key} AS page_key`, ...bound].join(', ')} FROM ${table}
      WHERE ${table}.ctid IN (SELECT own.ctid FROM ${table} own CROSS JOIN ${PERSON} WHERE ${find})
        AND ${key} COLLATE "C" > $7
      ORDER BY ${key} COLLATE "C" LIMIT $8`,
    [...personParameters(person), after, limit],
  );
  const hidden = hiddenFields(reading.data, table);
  return found.map((row) => ({
    key: row.pageKey,
    fields: plainFields(reading, sealed, row, hidden),
  }));
}

/** SQL of the text of a row's key, by which the rows of a table are in order. */
async function keyOf(tx: Transaction, table: string): Promise<string> {
  const columns = await query<{ column: string }>(
    tx,
    `SELECT attname AS column FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum = ANY (ARRAY(
        SELECT unnest(indkey) FROM pg_index WHERE indexrelid = (
          SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass AND indisunique
           ORDER BY indisprimary DESC, indexrelid LIMIT 1)))
      ORDER BY attnum`,
    [table],
  );
  return columns.map(({ column }) => `${table}.${column}::text`).join(` || '/' || `);
}

/** Fields that a copy for a person leaves out: secrets, and who of the staff did something. */
function hiddenFields({ harmless, ...data }: PersonalData, table: string): Set<string> {
  const hidden: string[] = [HARMLESS.secret, HARMLESS.staff, HARMLESS.technical];
  const columns = harmless.filter(({ why }) => hidden.includes(why)).flatMap((one) => one.columns);
  // Nothing in these rows tells whose they are.
  const ofOthers = personalColumns({ harmless, ...data })
    .filter(({ suppress }) => suppress === 'expires')
    .map((one) => `${one.table}.${one.column}`);
  return new Set(
    [...columns, ...ofOthers]
      .filter((name) => name.startsWith(`${table}.`))
      .map((name) => fieldOf(name.slice(table.length + 1))),
  );
}

function plainFields(
  { sealer }: PersonalReading,
  sealed: SealedTable | undefined,
  { pageKey: _key, ...row }: Record<string, unknown>,
  hidden: Set<string>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null || hidden.has(name) || /^bound\d+$/.test(name)) continue;
    const at = sealed?.columns.findIndex(({ column }) => fieldOf(column) === name) ?? -1;
    const column = sealed?.columns[at];
    if (column !== undefined && sealer !== undefined && Buffer.isBuffer(value)) {
      fields[name] = parsed(sealer.open(value, column.purpose, String(row[`bound${at}`])));
    } else if (!Buffer.isBuffer(value)) {
      fields[name] = value;
    }
  }
  return fields;
}

/** Sealed values are texts or JSON objects. */
function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
