import { readSealedColumns } from '@fiado/chassis/testing/sealed-columns';
import type { System } from '../../e2e/support/system';
import type { ChaosDatabase } from './database';
import type { Deployment } from './deployment';
import type { Market } from './market';

interface Sealed {
  schemas: readonly string[];
  market: Market;
  /** The number of the only key that any value may have. */
  key: number;
}

/** No value has an old key, whatever the services count, and ops reads messages and customers. */
export async function checkSealedValues(
  { database, system }: Deployment,
  { schemas, market, key }: Sealed,
): Promise<string[]> {
  return [
    ...(await checkKeyNumbers(database, { schemas, key })),
    ...(await checkReadable(system, market)),
  ];
}

/** A sealed value begins with the number of its key. */
async function checkKeyNumbers(
  database: ChaosDatabase,
  { schemas, key }: Pick<Sealed, 'schemas' | 'key'>,
): Promise<string[]> {
  const found: string[] = [];
  for (const schema of schemas) {
    const names = await readSealedColumns((text) => database.query(text), `'${schema}'`);
    for (const [table, column] of names.map((name) => name.split('.'))) {
      const [row] = await database.query<{ old: number }>(
        `SELECT count(*)::integer AS old FROM ${schema}.${table}
          WHERE substring(${column} FOR 4) <> int4send($1::integer)`,
        [key],
      );
      if (row?.old !== 0) found.push(`${row?.old} values of ${schema}.${table}.${column} are old`);
    }
  }
  return found;
}

async function checkReadable(system: System, { stores }: Market): Promise<string[]> {
  const found: string[] = [];
  const read = async (path: string, body?: object): Promise<string | null> => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await system.call(system.opsKey, method, path, body && { body });
    if (answer.status !== 200) found.push(`${method} ${path} was answered ${answer.text}`);
    return (answer.body?.nextCursor as string | null | undefined) ?? null;
  };
  for (const { phone } of stores) {
    await read('/admin/messages/search', { phoneNumber: phone });
  }
  let cursor = await read('/admin/corner-stores');
  while (cursor !== null) {
    cursor = await read(`/admin/corner-stores?cursor=${encodeURIComponent(cursor)}`);
  }
  return found;
}
