import type { Pages } from '@fiado/client';
import type { Resources } from '@fiado/ops-client/generated/resources';
import type { Schema } from '@fiado/ops-client/operations';
import { CommandFailed } from '../errors';

/** A call that reads every row. The gateway waits two minutes for its answer. */
export const LONG_CALL = { timeoutMs: 130_000, deadlineMs: 400_000 };

/**
 * The sums of one corner store in each service; absent in a service that does not know the store.
 */
export interface CornerStoreSums {
  cornerStoreId: string;
  accounts?: Schema<'AccountsSums'> | undefined;
  transactions?: Schema<'TransactionsSums'> | undefined;
  payments?: Schema<'PaymentsSums'> | undefined;
}

/** Where each service's page begins; undefined is the first one. */
export type Cursors = Record<'accounts' | 'transactions' | 'payments', string | undefined>;

/** Reads one service's rows, a page at a time. */
interface Reader<Sums> {
  /** The next row; undefined at the end. */
  head: Sums | undefined;
  /** Where the page of the next row begins. */
  cursor: string | undefined;
  advance(): Promise<void>;
}

/**
 * The values of the three services for each corner store, merged by id, with one page of each
 * service in memory. Each comes with the cursors from which it can be read again.
 * @throws CommandFailed when a service does not keep to the order, which the merge depends on
 */
export async function* readCornerStoreSums(
  { invariants }: Pick<Resources, 'invariants'>,
  { from, since }: { from: Cursors; since: string | undefined },
): AsyncGenerator<{ sums: CornerStoreSums; cursors: Cursors }> {
  const accounts = readerOf('accounts', from.accounts, (cursor) =>
    invariants.listAccountsSums({ cursor, since }, LONG_CALL),
  );
  const transactions = readerOf('transactions', from.transactions, (cursor) =>
    invariants.listTransactionsSums({ cursor, since }, LONG_CALL),
  );
  const payments = readerOf('payments', from.payments, (cursor) =>
    invariants.listPaymentsSums({ cursor, since }, LONG_CALL),
  );
  const readers = [accounts, transactions, payments];
  await Promise.all(readers.map((reader) => reader.advance()));

  for (;;) {
    const [cornerStoreId] = readers.flatMap((one) => one.head?.cornerStoreId ?? []).toSorted();
    if (cornerStoreId === undefined) return;
    yield {
      sums: {
        cornerStoreId,
        accounts: headOf(accounts, cornerStoreId),
        transactions: headOf(transactions, cornerStoreId),
        payments: headOf(payments, cornerStoreId),
      },
      cursors: {
        accounts: accounts.cursor,
        transactions: transactions.cursor,
        payments: payments.cursor,
      },
    };
    const behind = readers.filter((one) => one.head?.cornerStoreId === cornerStoreId);
    await Promise.all(behind.map((reader) => reader.advance()));
  }
}

function headOf<Sums extends { cornerStoreId: string }>(
  { head }: Reader<Sums>,
  cornerStoreId: string,
): Sums | undefined {
  return head?.cornerStoreId === cornerStoreId ? head : undefined;
}

type SumsPages<Sums> = Pages<{ cornerStores: Sums[]; nextCursor: string | null }, Sums>;

function readerOf<Sums extends { cornerStoreId: string }>(
  service: keyof Cursors,
  from: string | undefined,
  list: (cursor: string | undefined) => SumsPages<Sums>,
): Reader<Sums> {
  const pages = list(from).pages()[Symbol.asyncIterator]();
  let rows: Sums[] = [];
  let at = 0;
  let next = from;
  let ended = false;

  const reader: Reader<Sums> = { head: undefined, cursor: from, advance };
  return reader;

  async function advance(): Promise<void> {
    const before = reader.head?.cornerStoreId ?? '';
    while (at === rows.length && !ended) await readPage();
    reader.head = rows[at];
    at += 1;
    if (reader.head !== undefined && reader.head.cornerStoreId <= before) {
      throw new CommandFailed(`${service} lists its corner stores out of order`);
    }
  }

  async function readPage(): Promise<void> {
    const result = await pages.next();
    if (result.done === true) {
      ended = true;
      return;
    }
    const { cornerStores, nextCursor } = result.value;
    if (nextCursor !== null && cornerStores.length === 0) {
      throw new CommandFailed(`${service} answers an empty page that is not the last`);
    }
    reader.cursor = next;
    rows = cornerStores;
    next = nextCursor ?? undefined;
    at = 0;
  }
}
