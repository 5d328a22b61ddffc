import { Client } from 'pg';
import { migrate } from '../src/db/migrate';
import { migrationsOf, type Schema } from '../src/db/schema';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';

const schema: Schema = {
  name: 'baseline_test',
  baseline: `
    CREATE TABLE orders (id integer PRIMARY KEY, note text);
    CREATE TABLE ledger (id integer PRIMARY KEY);`,
  migrations: [],
  triggers: {
    functions: [noteOf('this release')],
    triggers: [
      `CREATE TRIGGER add_note BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION add_note()`,
    ],
    appendOnly: ['ledger'],
  },
};

function noteOf(release: string): string {
  return `CREATE OR REPLACE FUNCTION add_note() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN NEW.note := '${release}'; RETURN NEW; END $$`;
}

let database: TestDatabase;
let owner: Client;
beforeEach(async () => {
  database = await createTestDatabase(schema);
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(`SET search_path = ${schema.name}`);
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

const run = (release: Schema = schema): Promise<void> =>
  migrate({ schema: release, ownerUrl: database.ownerUrl, queuesInPostgres: false });

async function rows(text: string): Promise<object[]> {
  return (await owner.query<object>(text)).rows;
}

/** The migrations of a schema that has none of its own. */
const NOW = migrationsOf({ ...schema, migrations: [] }).map(({ name }) => ({ name }));

const applied = (): Promise<object[]> => rows('SELECT name FROM migrations');
const triggers = (): Promise<object[]> =>
  rows(`SELECT oid, tgname, tgrelid FROM pg_trigger
         WHERE tgrelid IN ('orders'::regclass, 'ledger'::regclass) ORDER BY tgname`);
const noteOfNewOrder = async (): Promise<object[]> => {
  await owner.query('DELETE FROM orders');
  return rows('INSERT INTO orders (id) VALUES (1) RETURNING note');
};

it('two migrations at once create a new schema', async () => {
  await owner.query(`DROP SCHEMA ${schema.name} CASCADE`);
  await Promise.all([run(), run()]);
  expect(await applied()).toEqual(NOW);
  expect(await triggers()).toHaveLength(3);
});

describe('triggers', () => {
  it('that exist are not created again, while their functions are replaced', async () => {
    const before = await triggers();
    await owner.query(noteOf('a release before'));
    await run();
    expect(await triggers()).toEqual(before);
    expect(await noteOfNewOrder()).toEqual([{ note: 'this release' }]);
  });

  it('that exist do not make a migration wait for a transaction that writes to their tables', async () => {
    await owner.query('BEGIN');
    await owner.query('INSERT INTO orders (id) VALUES (1)');
    await run();
    await owner.query('COMMIT');
  });

  it('that are missing are created', async () => {
    await owner.query('DROP TRIGGER add_note ON orders');
    await owner.query('DROP TRIGGER append_only_rows ON ledger');
    await run();
    expect(await noteOfNewOrder()).toEqual([{ note: 'this release' }]);
    await owner.query('INSERT INTO ledger (id) VALUES (1)');
    await expect(owner.query('DELETE FROM ledger')).rejects.toThrow('ledger is append-only');
    const right = `has_table_privilege('fiado_baseline_test', 'ledger', 'DELETE')`;
    expect(await rows(`SELECT ${right} AS allowed`)).toEqual([{ allowed: false }]);
  });

  it('keep the functions of a later release when an older one migrates', async () => {
    class Later4000000000000 {
      async up(): Promise<void> {}
    }
    const later: Schema = {
      ...schema,
      migrations: [Later4000000000000],
      triggers: { functions: [noteOf('a later release')], triggers: [], appendOnly: [] },
    };
    await run(later);
    await run();
    expect(await noteOfNewOrder()).toEqual([{ note: 'a later release' }]);
  });
});
