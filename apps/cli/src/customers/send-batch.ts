import { FiadoError } from '@fiado/client';
import type { Resources } from '@fiado/ops-client/generated/resources';
import type { SendableRow } from './customer-rows';

/** Refusals that single rows can cause; any other concerns the whole import. */
const ROW_STATUSES = new Set([400, 409, 413]);

export interface BatchDestination {
  ops: Resources;
  wholesalerId: string;
  imported: (rows: number) => void;
  /** Rows that wait for a second person, in one change request. */
  waiting: (rows: number, changeRequestId: string) => void;
  refuse: (row: SendableRow, reason: string) => Promise<void>;
}

/**
 * Imports all valid rows of a batch. The API takes all rows of a request or none and names the rows
 * at fault (all that are not valid, but only the first that contradicts another one); if it names
 * none, the batch is halved. With k invalid rows, it takes some 3k requests at most, and each row
 * is in at most ten of them.
 * @throws FiadoError a refusal that no row is at fault for; FiadoConnectionError, FiadoTimeoutError
 */
export async function sendBatch(to: BatchDestination, rows: SendableRow[]): Promise<void> {
  if (rows.length === 0) return;
  const refusal = await trySending(to, rows);
  if (refusal === undefined) return;

  const reasons = reasonsByRow(refusal, rows);
  if (rows.length === 1 && reasons.size === 0) reasons.set(0, textsOf(refusal).join('; '));
  for (const [at, reason] of reasons) {
    const row = rows[at];
    if (row !== undefined) await to.refuse(row, reason);
  }
  for (const part of partsWithout(rows, reasons, refusal)) await sendBatch(to, part);
}

/** @returns why the API took none of the rows */
async function trySending(
  { ops, wholesalerId, imported, waiting }: BatchDestination,
  rows: SendableRow[],
): Promise<FiadoError | undefined> {
  try {
    const customers = rows.map((row) => row.customer);
    // The same rows again change nothing, so a lost answer does no harm.
    const answer = await ops.wholesalers.importCustomers(wholesalerId, { customers });
    if ('changeRequestId' in answer) waiting(rows.length, answer.changeRequestId);
    else imported(rows.length);
    return undefined;
  } catch (error) {
    if (error instanceof FiadoError && ROW_STATUSES.has(error.status)) return error;
    throw error;
  }
}

/**
 * The rows that the answer names, with the problem of each: `customers.17.phoneNumber must be …`.
 */
function reasonsByRow(refusal: FiadoError, rows: SendableRow[]): Map<number, string> {
  const reasons = new Map<number, string>();
  for (const text of textsOf(refusal)) {
    const [, index, problem = ''] = /^customers\.(\d+)[. ](.*)$/s.exec(text) ?? [];
    const at = Number(index ?? rows.length);
    if (at >= rows.length) continue;
    const before = reasons.get(at);
    const reason = inLinesOfFile(problem, rows);
    reasons.set(at, before === undefined ? reason : `${before}; ${reason}`);
  }
  return reasons;
}

/** The answer counts within the request, the reader of the file within the file. */
function inLinesOfFile(text: string, rows: SendableRow[]): string {
  return text.replaceAll(/customers\.(\d+)/g, (name, index: string) => {
    const row = rows[Number(index)];
    return row === undefined ? name : `line ${row.line}`;
  });
}

function partsWithout(
  rows: SendableRow[],
  reasons: Map<number, string>,
  refusal: FiadoError,
): SendableRow[][] {
  const rest = rows.filter((_row, at) => !reasons.has(at));
  // Not valid: all such rows were named. Else there may be more, and halves isolate them.
  if (reasons.size > 0 && refusal.problems.length > 0) return [rest];
  const half = Math.ceil(rest.length / 2);
  return [rest.slice(0, half), rest.slice(half)];
}

/** The problems of a request that is not valid; else the one text of the refusal. */
function textsOf({ problems, errorMessage }: FiadoError): readonly string[] {
  return problems.length > 0 ? problems : [errorMessage];
}
