import { pipeline } from 'node:stream/promises';
import type { ExportRow } from '@fiado/chassis/exports/part';
import {
  addedTotals,
  NO_TOTALS,
  type PeopleFact,
  peopleWriter,
} from '@fiado/chassis/exports/people-file';
import { ApiRefusal } from '../api';
import { dayAt, lenderTimeZone } from './formats';
import { list, type Listing, readerOf } from './lists';
import { type ListId, rowsIn } from './read';
import { fileRoute } from './send-file';
import type { PageRoute, Route } from './serve';
import { mayDo, type Visit } from './visit';

/** Rows of a file at most; an export of Exportaciones has all. */
const MAX_ROWS = 10_000;
/** Rows of a call of the API, which are as many as it allows. */
const ROWS_OF_CALL = 100;

/** A list whose rows can be had as a file for a spreadsheet. */
export type FiledListing<Id extends ListId, Names = unknown> = Listing<Id, Names> &
  Required<Pick<Listing<Id, Names>, 'file'>>;

/** A list as a page, and exactly its rows as a file: the same filters, the same order. */
export function listWithFile<Path extends string, Id extends ListId, Names>(
  path: Path,
  listingOf: (visit: Visit) => FiledListing<Id, Names> | Promise<FiledListing<Id, Names>>,
): [list: PageRoute<Path>, file: Route] {
  const file = fileRoute(`${path}.csv`, async (visit, res) => {
    if (!mayDo(visit.viewer, 'operator')) throw new ApiRefusal(403, 'FORBIDDEN', 'role');
    const texts = textsOf(visit, await listingOf(visit));
    // Before the headers, so that a refusal is a page.
    const first = await texts.next();
    const today = dayAt(new Date().toISOString());
    res.attachment(`${path.slice(1)}-${today}.csv`).type('csv');
    await pipeline(async function* () {
      if (first.done !== true) yield first.value;
      yield* texts;
    }, res);
  });
  return [list(path, listingOf), file];
}

async function* textsOf<Id extends ListId, Names>(
  visit: Visit,
  listing: FiledListing<Id, Names>,
): AsyncGenerator<string, undefined> {
  const { of, title, file } = listing;
  const { read } = await readerOf(visit, listing);
  const writer = peopleWriter(file, lenderTimeZone());
  let totals = NO_TOTALS;
  let hasMore = false;
  for await (const answer of read(ROWS_OF_CALL).pages()) {
    const found = rowsIn(of, answer);
    hasMore = totals.all.rows >= MAX_ROWS && found.length > 0;
    if (hasMore) break;
    const names = (await listing.names?.(found)) as Names;
    const rows = found.map((row) => ({ ...row, ...file.more?.(row, names) })) as ExportRow[];
    if (totals === NO_TOTALS) yield writer.beginning();
    yield writer.rows(rows);
    totals = addedTotals(totals, file, rows);
  }
  const filters = [...new URL(visit.req.originalUrl, 'http://list').searchParams];
  const facts: PeopleFact[] = [
    ['Lista', [title, ...filters.map(([name, value]) => `${name}: ${value}`)].join(', ')],
    ['Hecha el', new Date()],
  ];
  if (hasMore) facts.push(['Incompleta', 'Hay más renglones: usa Exportaciones']);
  yield writer.end(totals, facts);
}
