import type { Schema } from '@fiado/ops-client/operations';
import type { CustomerRow } from './customer-rows';

/** Customers of one request: what the API takes at most. */
const MAX_ROWS = 1000;
/** Bytes of one request, below the 2 MB that the API takes: long names in 1000 rows pass it. */
const MAX_BYTES = 1_900_000;

/** A row that can be sent. */
export interface SendableRow {
  line: number;
  cells: string[];
  customer: Schema<'CustomerBody'>;
}

/** Groups rows into requests; `refuse` gets those that cannot be sent. */
export async function* batchesOf(
  rows: AsyncIterable<CustomerRow>,
  refuse: (row: CustomerRow, reason: string) => Promise<void>,
): AsyncGenerator<SendableRow[]> {
  let batch: SendableRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if ('problem' in row.outcome) {
      await refuse(row, row.outcome.problem);
      continue;
    }
    const { line, cells, outcome } = row;
    const size = Buffer.byteLength(JSON.stringify(outcome.customer)) + 1;
    if (batch.length === MAX_ROWS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ line, cells, customer: outcome.customer });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
