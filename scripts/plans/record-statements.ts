import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { roleOf } from '@fiado/chassis/db/roles';
import { Client } from 'pg';
import { runJest } from '../run-jest';
import { SCHEMAS } from './schemas';

/** A statement as a service sent it, with the values of one of its calls. */
export interface Recorded {
  schema: string;
  /** Of a prepared statement; without one it is planned at each call. */
  name?: string;
  text: string;
  /** SQL literals, in the order of the parameters. */
  values: string[];
  /** Whether it ran under allowLongStatements, so that it may read whole tables. */
  long: boolean;
}

/** Calls of one statement that differ in what is null, and in words such as a status. */
const MAX_VARIANTS = 8;
/** Statements of the tests themselves begin so (libs/shared/chassis/src/testing/service.ts). */
const OF_TESTS = '/* test */';
/** What allowLongStatements sends. */
const OF_LONG = `set_config('statement_timeout'`;
/** What the log calls a statement that is not prepared. */
const UNNAMED = '<unnamed>';
const LOG_FOLDER = 'statements';
const SERVICES_TESTED = SCHEMAS.map(({ name }) => `services/${name}/test`);

/** Runs the services' integration tests and returns what their roles sent; stops the server. */
export async function recordStatements(
  postgres: EmbeddedPostgres,
  environment: NodeJS.ProcessEnv,
): Promise<Recorded[]> {
  const { databaseUrl } = await postgres.start();
  const dataFolder = await logStatements(databaseUrl);
  await postgres.stop();
  await runServiceTests((await postgres.start()).databaseUrl, environment);
  await postgres.stop();
  return distinct(await readLog(join(dataFolder, LOG_FOLDER)));
}

/** @returns the server's data folder */
async function logStatements(databaseUrl: string): Promise<string> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    for (const setting of [
      'logging_collector = on',
      `log_destination = 'jsonlog'`,
      `log_directory = '${LOG_FOLDER}'`,
    ]) {
      await owner.query(`ALTER SYSTEM SET ${setting}`);
    }
    for (const { name } of SCHEMAS) {
      await owner.query(`CREATE ROLE ${roleOf(name)} LOGIN`);
      await owner.query(`ALTER ROLE ${roleOf(name)} SET log_statement = 'all'`);
      // The embedded server leaves the values out.
      await owner.query(`ALTER ROLE ${roleOf(name)} SET log_error_verbosity = 'default'`);
      await owner.query(`ALTER ROLE ${roleOf(name)} SET log_parameter_max_length = -1`);
    }
    const { rows } = await owner.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory ?? '';
  } finally {
    await owner.end();
  }
}

async function runServiceTests(databaseUrl: string, environment: NodeJS.ProcessEnv): Promise<void> {
  // A red test has sent its statements all the same.
  await runJest([...SERVICES_TESTED, '--selectProjects', 'integration'], {
    ...environment,
    TEST_DATABASE_URL: databaseUrl,
  });
}

interface LogLine {
  user?: string;
  message?: string;
  detail?: string;
  session_id?: string;
  /** Of the database transaction. */
  vxid?: string;
}

async function readLog(folder: string): Promise<Recorded[]> {
  const found: Recorded[] = [];
  const longTransactions = new Set<string>();
  for (const file of (await readdir(folder)).toSorted()) {
    if (!file.endsWith('.json')) continue;
    for (const text of (await readFile(join(folder, file), 'utf8')).split('\n')) {
      if (text === '') continue;
      const line = JSON.parse(text) as LogLine;
      const transaction = `${line.session_id} ${line.vxid}`;
      if (line.message?.includes(OF_LONG)) longTransactions.add(transaction);
      const statement = statementIn(line);
      if (statement === undefined) continue;
      found.push({ ...statement, long: longTransactions.has(transaction) });
    }
  }
  return found;
}

function statementIn({
  user = '',
  message = '',
  detail = '',
}: LogLine): Omit<Recorded, 'long'> | undefined {
  const schema = SCHEMAS.find(({ name }) => roleOf(name) === user)?.name;
  const [, name, text] = /^(?:execute ([^:]+)|statement): (.*)$/s.exec(message) ?? [];
  if (schema === undefined || text === undefined || text.includes(OF_TESTS)) return undefined;
  if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text)) return undefined;
  const values = valuesIn(detail);
  return name === undefined || name === UNNAMED
    ? { schema, text, values }
    : { schema, name, text, values };
}

/** The literals of a line such as `parameters: $1 = 'a', $2 = NULL`. */
export function valuesIn(detail: string): string[] {
  const values = [...detail.matchAll(/\$\d+ = (NULL|'[^']*(?:''[^']*)*')/g)];
  return values.map(([, value = '']) => value);
}

function distinct(all: Recorded[]): Recorded[] {
  const variants = new Map<string, Map<string, Recorded>>();
  for (const recorded of all) {
    const key = `${recorded.schema} ${recorded.name} ${recorded.text}`;
    const words = recorded.values.map((value) =>
      value === 'NULL' || /^'[a-z]+(-[a-z]+)*'$/.test(value) ? value : '',
    );
    const variant = `${recorded.long} ${words.join()}`;
    const known = variants.get(key) ?? new Map<string, Recorded>();
    if (known.size < MAX_VARIANTS && !known.has(variant)) known.set(variant, recorded);
    variants.set(key, known);
  }
  return [...variants.values()].flatMap((known) => [...known.values()]);
}
