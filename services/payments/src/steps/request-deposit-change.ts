import type { Transaction } from '@fiado/chassis/db/database';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested, type DepositChange } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { depositChangeRequested } from '@fiado/contracts/jobs/deposit-change-requested';
import { newId } from '@fiado/contracts/new-id';
import type { Deposit } from '../db/deposit';
import { insertDepositChange } from '../db/deposit-changes.repository';
import { depositVersion } from '../domain/deposit-version';

export interface WantedDepositChange {
  by: Caller;
  kind: DepositChange;
  payload: object;
  reason?: string;
}

/**
 * Lets a change of a locked deposit wait for a second person, whom accounts asks. Asked again by the
 * same person, it is the same request.
 * @throws AppError CHANGE_ALREADY_REQUESTED with its id, when another change of the deposit waits
 */
export async function requestDepositChange(
  tx: Transaction,
  deposit: Deposit,
  { by, kind, payload, reason }: WantedDepositChange,
): Promise<ChangeRequested> {
  const change = {
    changeRequestId: newId(),
    kind,
    depositId: deposit.id,
    depositVersion: depositVersion(deposit),
    payload,
    requestedBy: by.id,
  };
  const { changeRequestId, isNew, isSame } = await insertDepositChange(tx, change);
  if (!isSame) throw new AppError('CHANGE_ALREADY_REQUESTED', { fields: { changeRequestId } });
  if (isNew) {
    const { status, valorCents } = deposit;
    const aggregate = { id: changeRequestId, version: 1 };
    const request = { ...change, before: { status, valorCents }, reason };
    await appendToOutbox(tx, outboxRows(depositChangeRequested, aggregate, request));
  }
  return new ChangeRequested(changeRequestId);
}
