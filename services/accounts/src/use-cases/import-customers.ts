import type { Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { findSameChange } from '../db/waiting-changes.repository';
import type { CustomerRow, ImportedCustomer } from '../domain/import-plan';
import { PURPOSE } from '../domain/sealing-purposes';
import { importRows, lockedImportPlan, sealedRows } from '../steps/import-rows';
import { requestChange } from '../steps/request-change';

export interface ImportCustomers {
  by: Caller;
  wholesalerId: string;
  rows: CustomerRow[];
}

/** Attempts of an import that conflicts with a concurrent import of the same phones. */
const MAX_TRIES = 3;

/**
 * Makes corner stores a wholesaler's customers: all or none, and the same when repeated. A person's import
 * waits for a second one, unless it changes nothing.
 * @throws AppError WHOLESALER_NOT_FOUND, CUSTOMER_CONFLICT naming the row
 */
export async function importCustomers(
  context: Context,
  command: ImportCustomers,
): Promise<ImportedCustomer[] | ChangeRequested> {
  const work = needsSecondPerson(context.config.FOUR_EYES, command.by) ? requestImport : importRows;
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await context.db.transaction((tx) => work(context, tx, command));
      context.relay.wake();
      return result;
    } catch (error) {
      if (!isUniqueViolation(error, 'users_phone_index_key')) throw error;
      if (tries === MAX_TRIES) throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }
}

/**
 * One request for all rows, which are sealed: they name people. The second person sees sums and extremes
 * of all of them, also of those whose phone is known: until the approval it may be unknown again.
 */
async function requestImport(
  { sealer }: Context,
  tx: Transaction,
  { by, wholesalerId, rows }: ImportCustomers,
): Promise<ImportedCustomer[] | ChangeRequested> {
  const plan = await lockedImportPlan(sealer, tx, { wholesalerId, rows });
  if (plan.created.length + plan.linked.length === 0) return plan.customers;

  const limits = rows.map((row) => row.creditLimitCents);
  const rates = rows.map((row) => row.interestRate).toSorted((a, b) => Number(a) - Number(b));
  const change = {
    kind: 'customers.import',
    targetId: wholesalerId,
    targetVersion: null,
    payload: {
      rows: rows.length,
      created: plan.created.length,
      linked: plan.linked.length,
      sumOfLimitsCents: limits.reduce((sum, limit) => sum + limit, 0),
      highestLimitCents: Math.max(...limits),
      lowestRate: rates[0],
      highestRate: rates.at(-1),
      digest: sealer.blindIndex(JSON.stringify(rows), PURPOSE.importRows).toString('hex'),
    },
    before: {},
    reason: null,
  } as const;
  const same = await findSameChange(tx, { ...change, requestedBy: by.id });
  if (same !== undefined) return new ChangeRequested(same);
  const id = newId();
  return requestChange(tx, { ...change, by, id, sealedPayload: sealedRows(sealer, rows, id) });
}
