import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceDatabaseUrl } from '@fiado/chassis/db/roles';
import { holdStatement } from '@fiado/transactions/orders/hold.sql';
import type { NewOrder } from '@fiado/transactions/orders/order.rules';
import type { BenchDatabase } from './database';
import type { Measured } from './load';
import { orderBody, type Market } from './market';

const run = promisify(execFile);
/** Threads of pgbench, as there are cores to run them on a small machine. */
const THREADS = '2';
/**
 * Each round connects anew, and Postgres plans a statement anew five times in each connection: with many
 * connections that is most of a short round. Services keep theirs.
 */
const PLAN_ONCE = encodeURIComponent('-c plan_cache_mode=force_generic_plan');
/** About as long as the sealed message of a code. */
const SEALED = 'A'.repeat(220);

/** What pgbench runs again and again. */
export interface SqlScript {
  name: string;
  text: string;
  /** Counts the orders that it has written, as `written`. */
  countWritten: string;
}

interface SqlLoadOptions {
  db: BenchDatabase;
  database: string;
  script: SqlScript;
  folder: string;
  connections: number;
}

/** pgbench running a script that writes one order for a random store. */
export class SqlLoad {
  private orders = 0;

  private constructor(
    private readonly options: SqlLoadOptions,
    private readonly file: string,
  ) {}

  static async open(options: SqlLoadOptions): Promise<SqlLoad> {
    const { database, folder, script } = options;
    const file = join(folder, `${database}-${script.name}.sql`);
    await writeFile(file, script.text);
    return new SqlLoad(options, file);
  }

  /** @throws Error when a statement failed, or did not write its order */
  async round(seconds: number): Promise<Measured> {
    const { db, database, script, connections } = this.options;
    const { stdout } = await run('pgbench', [
      '-n',
      '-Mprepared',
      `-f${this.file}`,
      `-j${THREADS}`,
      `-c${connections}`,
      `-T${Math.ceil(seconds)}`,
      `${serviceDatabaseUrl(db.urlOf(database), 'transactions')}?options=${PLAN_ONCE}`,
    ]);
    const count = numberIn(stdout, /actually processed: (\d+)/);
    this.orders += count;
    const [row] = await db.query<{ written: number }>(database, script.countWritten);
    if (row?.written !== this.orders) {
      throw new Error(`pgbench ran ${this.orders} statements, which wrote ${row?.written} orders`);
    }
    const p50Ms = numberIn(stdout, /latency average = ([\d.]+)/);
    return { perSecond: numberIn(stdout, /tps = ([\d.]+)/), count, p50Ms, p97Ms: Number.NaN };
  }
}

const WRITTEN = `SELECT count(*)::int AS written FROM transactions.transactions
                  WHERE wholesaler_transaction_id LIKE 'pgbench-%'`;

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`pgbench said:\n${text}`);
  return Number(found);
}

/**
 * createTransaction's one statement, with values of the sizes that createTransaction writes.
 */
export function ownStatement(market: Market): SqlScript {
  return { name: 'own', text: scriptOf(market), countWritten: WRITTEN };
}

/**
 * The statement as it stands, each of its parameters replaced by an expression: pgbench's own
 * variables are numbers, so ids are drawn by the server and the store is looked up by its number.
 */
function scriptOf(market: Market): string {
  const values = parameterValues(market);
  const statement = holdStatement({ waits: true })
    .replace(/--.*$/gm, '')
    .replace(/\$(\d+)/g, (parameter, number: string) => {
      const value = values[Number(number) - 1];
      if (value === undefined)
        throw new Error(`The bench gives no value to ${parameter} of createTransaction`);
      return `(${value})`;
    });
  // The three parameters name the same order.
  const drawing = statement.trim().replace(/^WITH /, `WITH ${DRAWN_IDS}, `);
  return `\\set store random(0, ${market.stores.length - 1})\n${drawing};\n`;
}

const DRAWN_IDS =
  `drawn AS MATERIALIZED (SELECT uuidv7()::text AS id, gen_random_uuid()::text AS number,` +
  ` encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'base64') AS key)`;

/** In the order of the statement's parameters. */
function parameterValues(market: Market): string[] {
  const body = orderBody(market, 1) as { products: object[]; metadata: object };
  const job = {
    id: 'JOB_ID',
    orderId: 'ORDER_ID',
    queue: 'notifier',
    type: 'send-message',
    version: 1,
    aggregate_version: 1,
    aggregate_id: market.wholesalerId,
    data: { template: 'order-code', sealed: SEALED, phoneIndex: SEALED.slice(0, 44) },
  };
  const text = { incrementalID: 1, transactionId: market.wholesalerId, verificationId: 'x' };
  const answer = {
    orderId: 'ORDER_ID',
    id: 'KEY',
    requestHash: `${'zM3N'.repeat(10)}zM0=`,
    status: 201,
    body: JSON.stringify(text),
  };
  const store = (column: string) => `SELECT ${column} FROM bench_stores WHERE number = :store`;
  return [
    drawnOrder(market, body, store),
    drawnInto(json([job]), { JOB_ID: 'uuidv7()', ORDER_ID: DRAWN.id }),
    drawnInto(json([answer]), { ORDER_ID: DRAWN.id, KEY: DRAWN.key }),
  ];
}

const DRAWN = {
  id: '(SELECT id FROM drawn)',
  number: '(SELECT number FROM drawn)',
  key: '(SELECT key FROM drawn)',
};

/** A text, in which the server replaces each of these words by a value that it draws. */
function drawnInto(text: string, drawn: Record<string, string>): string {
  return Object.entries(drawn).reduce(
    (replaced, [place, value]) => `replace(${replaced}, '${place}', ${value}::text)`,
    text,
  );
}

/** An order, in which the server puts the ids that differ from one to the next. */
function drawnOrder(
  { wholesalerId }: Market,
  { products, metadata }: { products: object[]; metadata: object },
  store: (column: string) => string,
): string {
  const order = {
    id: 'ORDER_ID',
    incrementalId: 'INCREMENTAL_ID',
    wholesalerId,
    wholesalerTransactionId: 'pgbench-NUMBER',
    cornerStoreId: 'STORE_ID',
    userId: 'USER_ID',
    status: 'pending-verification',
    amountCents: 15_000,
    interestCents: 750,
    ivaCents: 120,
    interestRate: '0.05',
    ivaRate: '0.16',
    commissionRate: '0.02',
    movementDate: 'now',
    paymentDueAt: 'tomorrow',
    expiresAt: 'tomorrow',
    linked: false,
    metadata: JSON.stringify(metadata, null, 1),
    commissionCents: 300,
    products: products.map((product, position) => ({ ...product, position })),
    verificationId: 'CODE_ID',
    verificationStatus: 'pending',
    codeSalt: `${'A'.repeat(22)}==`,
    codeSends: 1,
    codeExpiresAt: 'tomorrow',
    phoneChanges: 0,
  } satisfies { [field in keyof NewOrder]?: unknown };
  return drawnInto(json([order]), {
    ORDER_ID: DRAWN.id,
    INCREMENTAL_ID: `nextval('incremental_ids')`,
    NUMBER: DRAWN.number,
    STORE_ID: `(${store('corner_store_id')})`,
    USER_ID: `(${store('user_id')})`,
    CODE_ID: 'uuidv7()',
  });
}

/** Spaced out, as a colon before a letter would be a variable of pgbench. */
function json(value: object): string {
  return `'${JSON.stringify(value, null, 1).replace(/\s*\n\s*/g, ' ')}'`;
}
