import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { accountsSchema } from '@fiado/accounts/db/schema';
import { createTestDatabase, type TestDatabase } from '@fiado/chassis/testing/database';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { transactionsSchema } from '@fiado/transactions/db/schema';

const PAGES = resolve(__dirname, '../../../docs/operations');
const SCHEMAS = [accountsSchema, transactionsSchema, paymentsSchema, notifierSchema];

/** SQL of the pages: blocks, what psql is given, and statements within a sentence. */
const SQL =
  /```sql\n([\s\S]*?)```|psql [^\n]*?-\w*c "([^"]*)"|psql [^\n]*?-\w*c '([^']*)'|`(SELECT [^`\n]*)`/g;

/** They need a second server: those of the upgrade were run by hand. */
const OF_TWO_SERVERS = /^(CREATE DATABASE|CREATE SUBSCRIPTION|DROP SUBSCRIPTION)\b/;

const printedOnPages = readdirSync(PAGES).flatMap((page) =>
  [...readFileSync(resolve(PAGES, page), 'utf8').matchAll(SQL)].map(([, ...found]) => {
    const printed = found.find((one) => one !== undefined) ?? '';
    const sql = printed
      .replaceAll(/<\w+Id>/g, '0199e2c4-9d4e-7f50-8b62-738495061730')
      // A position in the log that the shell has read.
      .replaceAll("'$END'", "'0/0'");
    const named = SCHEMAS.find(({ name }) => sql.includes(`${name}.`));
    return { page, sql, schema: named ?? accountsSchema };
  }),
);
const statements = printedOnPages.filter(({ sql }) => !OF_TWO_SERVERS.test(sql));

const databases = new Map<string, { database: TestDatabase; owner: Client }>();
beforeAll(async () => {
  for (const schema of new Set(statements.map((one) => one.schema))) {
    const database = await createTestDatabase(schema);
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    databases.set(schema.name, { database, owner });
  }
});
afterAll(async () => {
  for (const { database, owner } of databases.values()) {
    await owner.end();
    await database.drop();
  }
});

test('the pages have statements', () => {
  expect(statements.length).toBeGreaterThan(10);
});

test.each(statements)('$page: Postgres takes $sql', async ({ sql, schema }) => {
  const owner = databases.get(schema.name)?.owner as Client;
  const isExplained = /^(SELECT|UPDATE)\b/.test(sql);

  await expect(owner.query(isExplained ? `EXPLAIN ${sql}` : sql)).resolves.toBeDefined();
});
