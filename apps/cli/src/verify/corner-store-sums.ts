import type {
  AccountsSums,
  CornerStoreSumsPage,
  PaymentsSums,
  TransactionsSums,
} from '@fiado/shared/contracts/invariants';
import type { Api } from '../api';
import { CommandFailed } from '../errors';

/**
 * The sums of one corner store in each service; absent in a service that does not know the store.
 */
export interface CornerStoreSums {
  cornerStoreId: string;
  accounts?: AccountsSums | undefined;
  transactions?: TransactionsSums | undefined;
  payments?: PaymentsSums | undefined;
}

/** Where each service's page begins; undefined is the first one. */
export interface Cursors {
  accounts: string | undefined;
  transactions: string | undefined;
  payments: string | undefined;
}

export const FROM_THE_START: Cursors = {
  accounts: undefined,
  transactions: undefined,
  payments: undefined,
};

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
  api: Api,
  from: Cursors,
): AsyncGenerator<{ sums: CornerStoreSums; cursors: Cursors }> {
  const accounts = readerOf<AccountsSums>(api, 'accounts', from.accounts);
  const transactions = readerOf<TransactionsSums>(api, 'transactions', from.transactions);
  const payments = readerOf<PaymentsSums>(api, 'payments', from.payments);
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

function readerOf<Sums extends { cornerStoreId: string }>(
  api: Api,
  service: keyof Cursors,
  from: string | undefined,
): Reader<Sums> {
  let rows: Sums[] = [];
  let at = 0;
  let next: string | null | undefined = from;
  let started = false;

  const reader: Reader<Sums> = { head: undefined, cursor: from, advance };
  return reader;

  async function advance(): Promise<void> {
    const before = reader.head?.cornerStoreId ?? '';
    while (at === rows.length && !(started && typeof next !== 'string')) await readPage();
    reader.head = rows[at];
    at += 1;
    if (reader.head !== undefined && reader.head.cornerStoreId <= before) {
      throw new CommandFailed(`${service} lists its corner stores out of order`);
    }
  }

  async function readPage(): Promise<void> {
    const cursor = next ?? undefined;
    const path = `/invariants/${service}/corner-stores`;
    const page = await api.call<CornerStoreSumsPage<Sums>>('GET', path, { query: { cursor } });
    if (page.nextCursor !== null && page.cornerStores.length === 0) {
      throw new CommandFailed(`${service} answers an empty page that is not the last`);
    }
    reader.cursor = cursor;
    rows = page.cornerStores;
    next = page.nextCursor;
    at = 0;
    started = true;
  }
}
