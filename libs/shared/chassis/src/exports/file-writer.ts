import type { StoredExportRow } from './export.entity';
import type { ExportsContext, ExportSource } from './exports';
import { beginningOfFile, type ExportRow, textOfRows } from './part';
import {
  addedTotals,
  NO_TOTALS,
  type PeopleFact,
  peopleWriter,
  type PeopleTotals,
  withNames,
} from './people-file';

interface WrittenExport extends Pick<
  StoredExportRow,
  'format' | 'forPeople' | 'fromAt' | 'toAt' | 'wholesalerId'
> {
  /** Sums of the parts that are written, of a file for people. */
  totals: PeopleTotals | null;
}

/** Writes the texts of a file, and keeps the sums of one for people. */
export interface FileWriter {
  beginning(): string;
  rows(rows: ExportRow[]): Promise<string>;
  end(): Promise<string>;
  totals(): PeopleTotals | null;
}

/** @throws AppError SERVICE_UNAVAILABLE from `rows` and `end` when accounts does not answer */
export function fileWriter(
  context: ExportsContext,
  { format, forPeople, totals: before, ...range }: WrittenExport,
  { columns, people }: ExportSource,
): FileWriter {
  if (!forPeople) {
    return {
      beginning: () => beginningOfFile(format, columns),
      rows: async (rows) => textOfRows(rows, { format, columns }),
      end: async () => '',
      totals: () => null,
    };
  }
  const writer = peopleWriter(people, context.config.TIME_ZONE);
  let totals = before ?? NO_TOTALS;
  return {
    beginning: writer.beginning,
    rows: async (rows) => {
      const named = await withNames(context, rows);
      totals = addedTotals(totals, people, named);
      return writer.rows(named);
    },
    end: async () => writer.end(totals, await factsOf(context, range)),
    totals: () => totals,
  };
}

/** What stands below the sums of a file for people. */
async function factsOf(
  context: ExportsContext,
  { fromAt, toAt, wholesalerId }: Pick<WrittenExport, 'fromAt' | 'toAt' | 'wholesalerId'>,
): Promise<PeopleFact[]> {
  const [named] = wholesalerId === null ? [] : await withNames(context, [{ wholesalerId }]);
  return [
    ['Mayorista', String(named?.wholesalerName ?? 'Todos')],
    ['Desde', fromAt],
    ['Antes de', toAt],
    ['Zona horaria', context.config.TIME_ZONE],
  ];
}
