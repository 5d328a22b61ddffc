import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { dearPlansOf, type DearPlan } from './dear-plans';
import { recordStatements, type Recorded } from './record-statements';
import { newTablePlansOf } from './new-table-plans';
import { migratedDatabase, seedEveryTable } from './seed';

/**
 * Finds the statements of the services that read much more than they need. It runs the services'
 * integration tests on a PostgreSQL that logs their statements, fills every table, the large ones
 * with a million rows, and runs each statement there without effect. It also plans the prepared statements
 * on empty tables, because Postgres keeps such a plan while they grow. Takes about a quarter of an hour.
 * An argument names a file that keeps the recorded statements for the next run.
 */

/** Characters of a statement in the report. */
const SHOWN = 400;

/** Statements whose cost has a bound that the plan does not show. */
const BOUNDED: Array<{ statement: RegExp; why: string }> = [
  {
    statement:
      /^SELECT s\.id AS "cornerStoreId", .* FROM corner_stores s JOIN users u .* LIMIT \$2$/,
    why: 'reads the names of 500 stores, batch after batch, once after the start of a process',
  },
  {
    statement:
      /^SELECT count\(\*\)::integer AS count FROM \(SELECT FROM \w+ WHERE .* LIMIT \$2\) ahead$/,
    why: 'counts at most 100,000 rows, and only while a data key is replaced',
  },
  {
    statement: /^SELECT count\(\*\).* AS has_more FROM \(SELECT .*\) counted$/,
    why: 'reads the first 10,000 rows of a list, for the totals that ops asks for',
  },
  {
    statement:
      /^SELECT a\.id AS "allocationId", .* FROM allocations WHERE receivable_id = r\.id AND deposit_id IS NULL /,
    why: 'looks at each debt of one user, where the surplus of a deposit that is taken back was spent',
  },
  {
    statement:
      /^SELECT \* FROM messages WHERE messages\.wholesaler_id = \$1 AND verification_id = \$2 /,
    why: 'lists the messages of one code in a sandbox, where there are few',
  },
  {
    // Of new tables: all indexes of open debts cost the same while they are empty.
    statement:
      /^SELECT .* FROM receivables WHERE user_id = \$1 AND paid_at IS NULL ORDER BY id FOR NO KEY UPDATE$/,
    why: 'reads the open debts of others too until the first ANALYZE, once for a payment',
  },
];

/** Two test processes with a few services each. */
const MAX_CONNECTIONS = 400;

async function main(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-plans-'));
  const postgres = new EmbeddedPostgres({
    dataDir,
    durable: false,
    maxConnections: MAX_CONNECTIONS,
  });
  const end = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void end().finally(() => process.exit(1)));
  }
  try {
    const statements = await statementsOf(postgres, process.argv[2]);
    say(`${statements.length} statements were recorded`);
    const { databaseUrl } = await postgres.start();
    const seededUrl = await seedEveryTable(databaseUrl, say);
    const emptyUrl = await migratedDatabase(databaseUrl, 'empty');
    const dear = [
      ...(await newTablePlansOf({ emptyUrl, seededUrl }, statements)),
      ...(await dearPlansOf(seededUrl, statements)),
    ];
    const faults = dear.filter((plan) => reasonOf(plan) === undefined);
    for (const plan of [...dear.filter(reasonOf), ...faults]) say(textOf(plan));
    say(
      `\n${dear.length} dear plans, ${faults.length} of them in requests and loops without a reason`,
    );
    return faults.length === 0 ? 0 : 1;
  } finally {
    await end();
  }
}

/** @param file keeps what was recorded: with it the next run need not run the tests again */
async function statementsOf(postgres: EmbeddedPostgres, file?: string): Promise<Recorded[]> {
  if (file !== undefined && existsSync(file)) {
    return JSON.parse(await readFile(file, 'utf8')) as Recorded[];
  }
  const statements = await recordStatements(postgres, process.env);
  if (file !== undefined) await writeFile(file, JSON.stringify(statements, null, 2));
  return statements;
}

function textOf(plan: DearPlan): string {
  const { schema, fault, text, values } = plan;
  const reason = reasonOf(plan);
  const lines = [
    `\n${reason ?? 'DEAR'}: ${schema}: ${fault}`,
    `  ${oneLine(text).slice(0, SHOWN)}`,
  ];
  if (reason === undefined) lines.push(`  ${values.join(', ').slice(0, SHOWN)}`);
  return lines.join('\n');
}

/** Why a plan is no fault; undefined for a fault. */
function reasonOf({ text, long }: DearPlan): string | undefined {
  if (long) return 'reads whole tables by intent, under allowLongStatements';
  return BOUNDED.find(({ statement }) => statement.test(oneLine(text)))?.why;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
