import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serviceDatabaseUrl } from '@fiado/chassis/db/roles';
import { CREATE_TRANSACTION_WITH_HOLD } from '@fiado/transactions/orders/hold.sql';
import type { NewOrder } from '@fiado/transactions/orders/order.rules';
import type { BenchDatabase } from './database';
import type { Measured } from './load';
import { orderBody, type Market } from './market';

const run = promisify(execFile);
/** Threads of pgbench, as there are cores to run them on a small machine. */
const THREADS = '2';
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
      serviceDatabaseUrl(db.urlOf(database), 'transactions'),
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
  const statement = CREATE_TRANSACTION_WITH_HOLD.replace(/--.*$/gm, '').replace(
    /\$(\d+)/g,
    (parameter, number: string) => {
      const value = values[Number(number) - 1];
      if (value === undefined)
        throw new Error(`The bench gives no value to ${parameter} of createTransaction`);
      return `(${value})`;
    },
  );
  return `\\set store random(0, ${market.stores.length - 1})\n${statement.trim()};\n`;
}

/** In the order of the statement's parameters. */
function parameterValues(market: Market): string[] {
  const body = orderBody(market, 1) as { products: object[]; metadata: object };
  const job = {
    id: 'JOB_ID',
    queue: 'notifier',
    type: 'send-message',
    version: 1,
    aggregate_version: 1,
    aggregate_id: market.wholesalerId,
    data: { template: 'order-code', sealed: SEALED, phoneIndex: SEALED.slice(0, 44) },
  };
  const answer = { incrementalID: 1, transactionId: market.wholesalerId, verificationId: 'x' };
  const drawnBytes = 'uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())';
  const store = (column: string) => `SELECT ${column} FROM bench_stores WHERE number = :store`;
  return [
    drawnOrder(market, body, store),
    `replace(${json([job])}, 'JOB_ID', uuidv7()::text)`,
    `'${market.wholesalerId}'`,
    // Drawn once: an expression that is drawn anew for each row would keep the index from being used.
    `SELECT 'pgbench-' || gen_random_uuid()`,
    store('corner_store_id'),
    '15000',
    `'0.05'`,
    drawnBytes,
    `'\\x${'cd'.repeat(32)}'`,
    '201',
    json(answer),
  ];
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
  const drawn = {
    ORDER_ID: 'uuidv7()',
    INCREMENTAL_ID: `nextval('incremental_ids')`,
    NUMBER: 'gen_random_uuid()',
    STORE_ID: `(${store('corner_store_id')})`,
    USER_ID: `(${store('user_id')})`,
    CODE_ID: 'uuidv7()',
  };
  return Object.entries(drawn).reduce(
    (text, [place, value]) => `replace(${text}, '${place}', ${value}::text)`,
    json([order]),
  );
}

/** Spaced out, as a colon before a letter would be a variable of pgbench. */
function json(value: object): string {
  return `'${JSON.stringify(value, null, 1).replace(/\s*\n\s*/g, ' ')}'`;
}
