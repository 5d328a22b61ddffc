import type { Scope } from '@fiado/contracts/caller';
import type { ErrorCode } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import { type ListTotals, MAX_COUNTED, type Page } from '@fiado/contracts/page';
import type { Database } from '../db/database';
import * as t from '../openapi/json-schema';
import { type Definition, type Endpoint, endpoint, type Exact, type Scoped } from './endpoint';

interface List<Context, Input, Row, Found, Item, Presented extends Item, Name extends string> {
  /** Name of the page in the document, such as `DepositPage`. */
  page: string;
  /** The name of the items in the answer, with the schema of one and what the document says of the list. */
  items: Record<Name, t.Schema<Item>>;
  /** Form of the cursor; a UUID without it. */
  cursor?: t.Schema<string>;
  /** What an example of an item has of its own. */
  example?: t.Differing<NoInfer<Item>>;
  /** Fields that the command line shows as columns. */
  columns?: ReadonlyArray<keyof NoInfer<Item> & string>;
  /** Whether `find` also counts the rows of all pages, where the query asks for it. */
  totals?: boolean;
  /** Reads a page. */
  find: (context: Context, input: Input) => Promise<Page<Row> & Found>;
  /** A row of the page as an item. */
  present: (row: Row, context: Context, found: Found) => Presented & Exact<Presented, Item>;
}

/** Fields that it shares with other endpoints. */
type Rest<
  Context,
  Path extends string,
  Code extends ErrorCode,
  Body extends object,
  Query extends object,
  Input,
  Found,
> = Omit<
  Definition<Context, Path, Code, Body, Query, Input, Found, object, object>,
  'answer' | 'columns' | 'example' | 'handle' | 'present'
>;

const totalsAnswer = t.object('ListTotals', {
  count: t.field(t.count, 'Rows of all pages', 37),
  amount: t.field(t.nullable(t.pesos), 'Their sum; null in a list without amounts', 12_345.5),
  hasMore: t.field(
    t.flag,
    `Whether there may be more: no more than the first ${MAX_COUNTED.toLocaleString('en')} rows are read for it`,
    false,
  ),
});

function presentTotals(totals: ListTotals | undefined): t.AnswerOf<typeof totalsAnswer> | null {
  if (totals === undefined) return null;
  const { count, cents, hasMore } = totals;
  return { count, amount: cents === null ? null : amountOf(cents), hasMore };
}

/**
 * An endpoint of the API that answers a page of a list: the items under their name, and `nextCursor`.
 * A presenter that forgets a field of an item's schema, or adds one, does not compile.
 */
export function listEndpoint<
  Context,
  const KeyScope extends Scope | 'any',
  const Path extends string,
  Input,
  Row,
  Found,
  Item extends object,
  const Presented extends Item,
  Name extends string,
  Code extends ErrorCode = never,
  Body extends object = never,
  Query extends object = never,
>(
  list: List<Context, Input, Row, Found, Item, Presented, Name> &
    Rest<Context, Path, Code, Body, Query, Input, Page<Row> & Found> &
    Scoped<KeyScope, Path>,
): Endpoint<Context & { db: Database }> {
  const declared: List<Context, Input, Row, Found, Item, Presented, Name> &
    Rest<Context, Path, Code, Body, Query, Input, Page<Row> & Found> = list;
  const { page, items, cursor, columns, totals, find, present, ...definition } = declared;
  const [[name, { about, ...item }]] = Object.entries(items) as [[Name, t.Schema<Item>]];
  const listed = { ...t.listOf(item), ...(about && { about }) };
  return endpoint<
    Context,
    Scope | 'any',
    Path,
    Input,
    Page<Row> & Found,
    object,
    object,
    Code,
    Body,
    Query
  >({
    ...definition,
    // Their type is checked above; an answer of unknown fields has none.
    ...(columns && { columns: columns as readonly never[] }),
    answer: t.page(
      page,
      {
        [name]: listed,
        ...(totals && {
          totals: t.field(t.nullable(totalsAnswer), 'With `totals=true`; else null'),
        }),
      },
      cursor,
    ),
    example: {
      [name]: [declared.example ?? {}],
      ...(totals && { totals: {} }),
      nextCursor: null,
    },
    handle: find,
    present: (found, context) => ({
      [name]: found.page.map((row) => present(row, context, found)),
      ...(totals && { totals: presentTotals(found.totals) }),
      nextCursor: found.nextCursor,
    }),
  });
}
