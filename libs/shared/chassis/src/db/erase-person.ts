import type { ErasedColumnCount, ErasurePhase } from '@fiado/contracts/jobs/privacy';
import type { Db, Transaction } from './database';
import {
  PERSON,
  type ColumnActions,
  type Person,
  personalColumns,
  type PersonalData,
  type PersonalTable,
  classOf,
  personParameters,
  selectOfPerson,
} from './personal-data';
import { allowLongStatements, query, queryOne } from './query';

/** A table whose rows are found, and what a phase does to its columns. */
interface Erasing {
  table: PersonalTable & { find: string };
  erases: 'rows' | 'values';
  columns: ErasedValue[];
}

interface ErasedValue {
  column: string;
  /** The type in PostgreSQL. */
  type: string;
  erase: ColumnErasure;
}

type ColumnErasure = 'wiped' | 'blanked' | 'randomized' | 'renamed' | 'deleted';

/** A name that erasure gave. A name that only begins like it is an ordinary name. */
const RENAMED = '^erased-[0-9a-f]{12}$';

/** Prefix of a randomized phone index, which matches no phone. A keyed hash never starts with it. */
const RANDOMIZED = `'\\x${'00'.repeat(16)}'::bytea`;

/** SQL: whether the index of a phone was randomized, so that it finds nobody. */
export function isRandomized(index: string): string {
  return `substring(${index} FROM 1 FOR 16) = ${RANDOMIZED}`;
}

/** SQL: whether nothing works on a row `own`, so that it may be erased. */
function isFree({ inUse }: PersonalTable): string {
  return inUse === undefined ? 'true' : `NOT (${inUse})`;
}

/**
 * Erases what a phase erases of a person in one schema, in the caller's database transaction. Repeated,
 * it changes nothing.
 * @returns how many values of each column were erased; a deleted row counts for each column
 */
export async function erasePerson(
  tx: Transaction,
  data: PersonalData,
  person: Person,
  phase: ErasurePhase,
): Promise<ErasedColumnCount[]> {
  await allowLongStatements(tx);
  const erased: ErasedColumnCount[] = [];
  // A condition may read a table that is earlier in the list.
  for (const erasing of (await erasingOf(tx, data, phase)).toReversed()) {
    const counts = await countFound(tx, erasing, person, 'FOR UPDATE OF own');
    if (counts.length === 0) continue;
    await (erasing.erases === 'rows' ? deleteRows : wipeValues)(tx, erasing, person);
    erased.push(...counts);
  }
  return erased.toReversed();
}

/**
 * What is left of a person after a phase, as counts of values. Rows in use are left out: they end by
 * themselves.
 */
export async function findLeftovers(
  tx: Transaction,
  data: PersonalData,
  person: Person,
  phase: ErasurePhase,
): Promise<ErasedColumnCount[]> {
  await allowLongStatements(tx);
  const left: ErasedColumnCount[] = [];
  for (const erasing of await erasingOf(tx, data, phase)) {
    left.push(...(await countFound(tx, erasing, person)));
  }
  return left;
}

/** Rows of a person that an erasure keeps. Rows of consents and of the audit log are counted separately. */
export interface KeptRows {
  data: number;
  audit: number;
}

/** Counts the rows of a person that stay after a phase. Messages, events and jobs end by themselves. */
export async function countKept(
  tx: Transaction,
  { tables }: PersonalData,
  person: Person,
): Promise<KeptRows> {
  await allowLongStatements(tx);
  const kept: KeptRows = { data: 0, audit: 0 };
  for (const { find, ...table } of tables) {
    const classes = new Set(Object.values(table.columns).map(classOf));
    classes.delete('transient');
    if (find === undefined || table.isInternal || classes.size === 0) continue;
    const text = selectOfPerson({ ...table, find }, 'count(*) AS rows');
    const { rows } = await queryOne<{ rows: number }>(tx, text, personParameters(person));
    kept[classes.has('audit') ? 'audit' : 'data'] += rows;
  }
  return kept;
}

async function erasingOf(db: Db, data: PersonalData, phase: ErasurePhase): Promise<Erasing[]> {
  const types = await columnTypes(db, data.tables);
  const actions = personalColumns(data);
  return data.tables.flatMap(({ find, ...table }) => {
    if (find === undefined) return [];
    const columns = actions
      .filter((action) => action.table === table.table)
      .flatMap((action) => {
        const erase = erasureOf(action, phase);
        const type = types.get(`${action.table}.${action.column}`) ?? '';
        return erase === undefined ? [] : [{ column: action.column, type, erase }];
      });
    if (columns.length === 0) return [];
    const erases = columns.some(({ erase }) => erase === 'deleted') ? 'rows' : 'values';
    return [{ table: { ...table, find }, erases, columns }];
  });
}

function erasureOf(action: ColumnActions, phase: ErasurePhase): ColumnErasure | undefined {
  if (phase === 'block') return action.block === 'wiped' ? 'wiped' : undefined;
  const { suppress } = action;
  if (suppress === 'kept' || suppress === 'expires') return undefined;
  // A value that was written after the block is wiped, too.
  return suppress === 'done' ? 'wiped' : suppress;
}

/** Types of columns, by `table.column`. */
async function columnTypes(db: Db, tables: PersonalTable[]): Promise<Map<string, string>> {
  const rows = await query<{ name: string; type: string }>(
    db,
    `SELECT relname || '.' || attname AS name, format_type(atttypid, NULL) AS type
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE attrelid = ANY ($1::regclass[]) AND attnum > 0 AND NOT attisdropped`,
    [tables.map(({ table }) => table)],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Counts the rows to erase. It can lock them, so that exactly these rows are changed afterwards. */
async function countFound(
  tx: Transaction,
  { table, columns }: Erasing,
  person: Person,
  lock = '',
): Promise<ErasedColumnCount[]> {
  const flags = columns.map((one, at) => `${isThere(one)} AS is_there_${at}`);
  const counts = columns.map((_, at) => `count(*) FILTER (WHERE is_there_${at}) AS "${at}"`);
  const found = await queryOne<Record<string, number>>(
    tx,
    `WITH found AS MATERIALIZED (
       SELECT ${flags.join(', ')} FROM ${table.table} own CROSS JOIN ${PERSON}
        WHERE (${table.find}) AND ${isFree(table)} ${lock})
     SELECT ${counts.join(', ')} FROM found`,
    personParameters(person),
  );
  return columns
    .map(({ column }, at) => ({ table: table.table, column, rows: found[at] ?? 0 }))
    .filter(({ rows }) => rows > 0);
}

async function wipeValues(
  tx: Transaction,
  { table, columns }: Erasing,
  person: Person,
): Promise<void> {
  const values = columns.map((one) => {
    const there = isThere(one);
    return `${one.column} = CASE WHEN ${there} THEN ${erasedValue(one)} ELSE own.${one.column} END`;
  });
  const any = columns.map((one) => isThere(one)).join(' OR ');
  await query(
    tx,
    `UPDATE ${table.table} own SET ${values.join(', ')} FROM ${PERSON}
      WHERE (${table.find}) AND (${any}) AND ${isFree(table)}`,
    personParameters(person),
  );
}

async function deleteRows(tx: Transaction, { table }: Erasing, person: Person): Promise<void> {
  const where = `(${table.find}) AND ${isFree(table)}`;
  for (const { part, refersBy } of table.parts ?? []) {
    await query(
      tx,
      `DELETE FROM ${part} WHERE ${refersBy} IN
         (SELECT own.id FROM ${table.table} own CROSS JOIN ${PERSON} WHERE ${where})`,
      personParameters(person),
    );
  }
  await query(
    tx,
    `DELETE FROM ${table.table} own USING ${PERSON} WHERE ${where}`,
    personParameters(person),
  );
}

/** SQL: whether a column of `own` still has a value to erase. */
function isThere({ column, type, erase }: ErasedValue): string {
  switch (erase) {
    case 'wiped':
      return `own.${column} IS NOT NULL`;
    case 'blanked':
      return `coalesce(own.${column}::text <> '${blankOf(type)}', false)`;
    case 'randomized':
      return `coalesce(NOT ${isRandomized(`own.${column}`)}, false)`;
    case 'renamed':
      return `coalesce(own.${column} !~ '${RENAMED}', false)`;
    case 'deleted':
      return 'true';
  }
}

/** SQL of the value that takes the place of an erased one. */
function erasedValue({ column, type, erase }: ErasedValue): string {
  switch (erase) {
    case 'wiped':
    case 'deleted':
      return 'NULL';
    case 'blanked':
      return `'${blankOf(type)}'`;
    case 'randomized':
      return `${RANDOMIZED} || uuid_send(gen_random_uuid())`;
    // The same name in each table and service, so that the copies of a fact still agree.
    case 'renamed':
      return `'erased-' || left(encode(sha256(person.name_key || convert_to(own.${column}, 'UTF8')), 'hex'), 12)`;
  }
}

function blankOf(type: string): string {
  return type === 'jsonb' || type === 'json' ? '{}' : '';
}
