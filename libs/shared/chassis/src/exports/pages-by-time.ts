import type { ExportKey, ExportPage, ExportSource } from './exports';
import { type ExportFields, exportRows } from './part';

/** A row of a table that has an index by its time and id. */
export interface TimedRow {
  id: string;
  /** Its time with microseconds, as Postgres writes it. */
  atText: string;
}

/** Pages of rows in the order of their time and id. */
export function pagesByTime<Row extends TimedRow>(
  read: (
    db: Parameters<ExportSource['pages']>[0],
    range: Parameters<ExportSource['pages']>[1],
    page: {
      at: ExportKey[string] | null;
      id: ExportKey[string] | null;
      limit: number;
      forPeople: boolean;
    },
  ) => Promise<Row[]>,
  fields: ExportFields<Row>,
  /** Those that only a file for people has. */
  more: ExportFields<Row> = {},
): ExportSource['pages'] {
  return async function* pages(db, range, { after, limit, forPeople }): AsyncGenerator<ExportPage> {
    const shown = forPeople ? { ...fields, ...more } : fields;
    let position = after;
    for (;;) {
      const rows = await read(db, range, {
        at: position?.at ?? null,
        id: position?.id ?? null,
        limit,
        forPeople,
      });
      const end = rows.at(-1);
      if (end === undefined) return;
      position = { at: end.atText, id: end.id };
      yield { rows: exportRows(shown, rows), last: position };
      if (rows.length < limit) return;
    }
  };
}
