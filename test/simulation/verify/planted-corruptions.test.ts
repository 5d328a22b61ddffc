import { openSystem, type System } from '../system/system';
import { brokenChecks, brokenChecksOf } from './broken-checks';
import { CORRUPTIONS } from './corruptions/all';
import { seed, type Seeded } from './seed';

const SCHEMAS = ['accounts', 'transactions', 'payments', 'notifier'];
const DAY_MS = 86_400_000;
/** As by default. */
const PERIOD_DAYS = 35;

let system: System;
let seeded: Seeded;

beforeAll(async () => {
  // The notifier of a sandbox prints its messages.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  system = await openSystem();
  seeded = await seed(system).finally(() => {
    process.stdout.write = write;
  });
  await keepTables();
}, 60_000);
afterAll(() => system.close());

/** Copies every table, so that a corruption can be undone whatever it does. */
async function keepTables(): Promise<void> {
  await system.database.owner.query(`
    CREATE SCHEMA sound;
    DO $$ DECLARE t record; BEGIN
      FOR t IN SELECT table_schema AS s, table_name AS n FROM information_schema.tables
                WHERE table_schema IN (${SCHEMAS.map((name) => `'${name}'`).join()})
                  AND table_type = 'BASE TABLE'
      LOOP EXECUTE format('CREATE TABLE sound.%I AS TABLE %I.%I', t.s || '.' || t.n, t.s, t.n);
      END LOOP;
    END $$`);
}

async function plant(statements: string): Promise<void> {
  const named = statements.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = seeded[name];
    if (id === undefined || id === '') throw new Error(`Nothing is seeded as ${name}`);
    return `'${id}'`;
  });
  await asOwner(named);
}

/** Puts the tables that the statements name back. */
async function restore(statements: string): Promise<void> {
  const tables = new Set(statements.match(new RegExp(`\\b(${SCHEMAS.join('|')})\\.\\w+`, 'g')));
  await asOwner(
    [...tables]
      .map(
        (table) =>
          `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE sound."${table}"`,
      )
      .join(';'),
  );
}

/** Past triggers, foreign keys and constraints of the ledgers. */
async function asOwner(statements: string): Promise<void> {
  const { owner } = system.database;
  // One message is one database transaction.
  await owner.query(`SET session_replication_role = replica; ${statements};
                     SET session_replication_role = origin`);
}

const lastDays = (): Date => new Date(system.now - PERIOD_DAYS * DAY_MS);

it('a sound system has no violation, whatever the period', async () => {
  expect(await brokenChecks(system)).toEqual([]);
  expect(await brokenChecks(system, lastDays())).toEqual([]);
});

it.each(CORRUPTIONS)(
  '$name is reported',
  async ({ plant: statements, reportedBy: [service, check] }) => {
    try {
      await plant(statements);
      const broken = await brokenChecksOf(service, system, lastDays());
      expect(broken.map(({ name }) => name)).toContainEqual(expect.stringContaining(check));
    } finally {
      await restore(statements);
    }
  },
);

it('the system is sound again once every corruption is undone', async () => {
  expect(await brokenChecks(system)).toEqual([]);
  expect(await brokenChecks(system, lastDays())).toEqual([]);
});
