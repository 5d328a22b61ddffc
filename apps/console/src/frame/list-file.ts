import { pipeline } from 'node:stream/promises';
import type { ExportRow } from '@fiado/chassis/exports/part';
import {
  addedTotals,
  NO_TOTALS,
  type PeopleFact,
  type PeopleFile,
  peopleWriter,
} from '@fiado/chassis/exports/people-file';
import type { HtmlValue } from '@fiado/chassis/html';
import type { Pages } from '@fiado/client';
import { ApiRefusal } from '../api';
import type { DaysFilter } from './filters';
import { dayAt, lenderTimeZone, link } from './formats';
import { type Asked, listPage, type Listing, sortIn } from './lists';
import { fileRoute } from './send-file';
import { show, type PageRoute, type Route } from './serve';
import { mayDo, type Visit } from './visit';
import { say } from './words';

/** Rows of a file at most; an export of Exportaciones has all. */
const MAX_ROWS = 10_000;
/** Rows of a call of the API, which are as many as it allows. */
const ROWS_OF_CALL = 100;

/** A list whose rows can be had as a file for a spreadsheet. */
export interface FiledListing<Answer, Row, Sort extends string> extends Listing<Answer, Row, Sort> {
  list: (page: Asked<Sort>, days?: DaysFilter['asked']) => Pages<Answer, Row>;
  /** Of its rows the file has the fields of its columns. */
  file: PeopleFile & { rowsOf: (answer: Answer) => object[] | Promise<object[]> };
}

/** A list as a page, and exactly its rows as a file: the same filters, the same order. */
export function filedList<Answer extends object, Row, const Sort extends string>(
  path: string,
  listingOf: (visit: Visit) => Promise<FiledListing<Answer, Row, Sort>>,
): [list: PageRoute, file: Route] {
  const page = show(path, async (visit) => {
    const listing = await listingOf(visit);
    return listPage(visit, { ...listing, whole: fileLink(visit, path) });
  });
  const file = fileRoute(`${path}.csv`, async (visit, res) => {
    if (!mayDo(visit.viewer, 'operator')) throw new ApiRefusal(403, 'FORBIDDEN', 'role');
    const listing = await listingOf(visit);
    const texts = textsOf(visit, listing);
    // Before the headers, so that a refusal is a page.
    const first = await texts.next();
    const today = dayAt(new Date().toISOString());
    res.attachment(`${listing.file.name}-${today}.csv`).type('csv');
    await pipeline(async function* () {
      if (first.done !== true) yield first.value;
      yield* texts;
    }, res);
  });
  return [page, file];
}

function fileLink({ req, viewer }: Visit, path: string): HtmlValue {
  if (!mayDo(viewer, 'operator')) return undefined;
  const asked = new URL(req.originalUrl, 'http://list').searchParams;
  for (const name of ['cursor', 'aviso']) asked.delete(name);
  const query = asked.size === 0 ? '' : `?${String(asked)}`;
  return link(`${path}.csv${query}`, say('Descargar esta lista', 'Download this list'));
}

async function* textsOf<Answer, Row, Sort extends string>(
  visit: Visit,
  { title, list, sorts = [], rowsOf, file }: FiledListing<Answer, Row, Sort>,
): AsyncGenerator<string, undefined> {
  const asked = { limit: ROWS_OF_CALL, cursor: undefined, ...sortIn(visit, sorts) };
  const writer = peopleWriter(file, lenderTimeZone());
  let totals = NO_TOTALS;
  let hasMore = false;
  for await (const answer of list(asked).pages()) {
    hasMore = totals.all.rows >= MAX_ROWS && rowsOf(answer).length > 0;
    if (hasMore) break;
    const rows = (await file.rowsOf(answer)) as ExportRow[];
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
