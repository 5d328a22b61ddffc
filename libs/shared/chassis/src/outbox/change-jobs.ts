import { ChangeRequested } from '@fiado/contracts/change-requests';
import type { JobDefinition } from '@fiado/contracts/define';
import {
  type ChangeExecuted,
  changeJobsOf,
  type RequestedChange,
} from '@fiado/contracts/jobs/changes';
import type { Transaction } from '../db/database';
import { appendToOutbox, outboxRows } from './append';

/** Asks accounts for a second person, who decides on a change that waits here. */
export async function askSecondPerson(
  tx: Transaction,
  change: Omit<RequestedChange, 'targetId'> & { targetId: string },
): Promise<ChangeRequested> {
  const { changeRequestId, kind, targetId } = change;
  const { requested, target } = changeJobsOf(kind);
  const aggregate = { id: changeRequestId, version: 1 };
  await appendToOutbox(tx, outboxRows(requested, aggregate, { ...change, [target]: targetId }));
  return new ChangeRequested(changeRequestId);
}

/** Tells accounts that an approved change was made. @param failure why it was not made */
export async function tellOutcome(
  tx: Transaction,
  executed: JobDefinition<ChangeExecuted>,
  outcome: { changeRequestId: string; failure: string | undefined },
): Promise<void> {
  const aggregate = { id: outcome.changeRequestId, version: 2 };
  await appendToOutbox(tx, outboxRows(executed, aggregate, outcome));
}
