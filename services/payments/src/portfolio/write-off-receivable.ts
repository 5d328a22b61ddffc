import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { decideChange, requestChange } from '@fiado/chassis/outbox/waiting-changes';
import { ReasonBody } from '@fiado/contracts/reason-body';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_TARGET_CHANGED, type ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { type ChangeDecided, paymentsChangeExecuted } from '@fiado/contracts/jobs/changes';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import type { Parts } from '../debts/allocation.rules';
import { receivableStatus } from '../debts/due.rules';

const writeOffAnswer = t.object('WriteOff', {
  receivableId: fields.receivableId,
  principal: t.field(t.pesos, 'Principal that was owed then', 500),
  interests: t.field(t.pesos, 'Interest that was owed then', 25),
  IVAAmount: t.field(t.pesos, 'IVA that was owed then', 4),
  reason: fields.reason,
  requestedBy: fields.requestedBy,
  approvedBy: t.textOrNull(
    'Second person; null where there was none',
    'c8e5a1b3-4d2f-4a9c-8b7e-6f3d8a912c45',
  ),
  writtenOffAt: t.time('When the debt was written off', '2026-10-02T15:30:01.234Z'),
});

export const writeOffReceivableEndpoint = endpoint({
  id: 'writeOffReceivable',
  as: 'receivables.writeOff',
  tag: 'Ops: payments',
  route: 'POST /v1/admin/receivables/:receivableId/write-off',
  scope: 'approver',
  summary: 'Write an overdue debt off',
  description:
    'A mark: the debt leaves the portfolio reports with what it owes now. It stays owed and in ' +
    'default, and what is paid later is `recovered`. Once; again it changes nothing. It ' +
    'cannot be undone. A person’s request waits for a second person: 202.',
  body: ReasonBody,
  bodyExample: { reason: 'La tienda cerró' },
  mayWait: true,
  errors: ['RECEIVABLE_NOT_FOUND', 'RECEIVABLE_IS_NOT_OVERDUE', 'CHANGE_ALREADY_REQUESTED'],
  status: 201,
  answer: writeOffAnswer,
  example: {
    reason: 'La tienda cerró',
    approvedBy: null,
  },
  input: ({ body, id, caller: by }) => ({
    reason: body.reason,
    receivableId: id('receivableId', 'RECEIVABLE_NOT_FOUND'),
    by,
  }),
  handle: writeOffReceivable,
  present: (writeOff) =>
    t.presentRow(writeOffAnswer, writeOff, {
      principal: amountOf(writeOff.principalCents),
      interests: amountOf(writeOff.interestCents),
      IVAAmount: amountOf(writeOff.ivaCents),
      writtenOffAt: writeOff.createdAt.toISOString(),
    }),
});

/** A debt that the lender no longer counts on: a row of write_offs. What it owed then, in cents. */
interface WriteOff extends Parts {
  receivableId: string;
  reason: string;
  requestedBy: string;
  approvedBy: string | null;
  createdAt: Date;
}

/**
 * Writes an overdue debt off, once. A person's request waits for a second person; asked again by the
 * same person it is the same request.
 */
export async function writeOffReceivable(
  context: Context,
  { receivableId, reason, by }: { receivableId: string; reason: string; by: Caller },
): Promise<WriteOff | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    const status = await lockOverdue(context, tx, receivableId);
    if (status === 'missing') throw new AppError('RECEIVABLE_NOT_FOUND');
    const known = await findWriteOff(tx, receivableId);
    if (known !== undefined) return known;
    if (status !== 'overdue') throw new AppError('RECEIVABLE_IS_NOT_OVERDUE');
    if (needsSecondPerson(context.config.FOUR_EYES, by)) {
      return requestWriteOff(tx, { receivableId, reason, by });
    }
    const wanted = { receivableId, reason, requestedBy: by.id, approvedBy: null };
    const writtenOff = await insertWriteOff(tx, wanted);
    const { principalCents, interestCents, ivaCents } = writtenOff;
    const details = { amountCents: principalCents + interestCents + ivaCents };
    const entry = { action: 'receivable.written-off', objectId: receivableId, details } as const;
    await audit(tx, by, entry);
    return writtenOff;
  });
}

type DebtState = 'missing' | 'overdue' | 'other';

/** Locks a debt, so that nothing pays it meanwhile. */
export async function lockOverdue(
  { clock }: Context,
  tx: Transaction,
  receivableId: string,
): Promise<DebtState> {
  const debt = await queryRow<{ dueAt: Date; paidAt: Date | null; inDefault: boolean }>(
    tx,
    'SELECT due_at, paid_at, in_default FROM receivables WHERE id = $1 FOR NO KEY UPDATE',
    [receivableId],
  );
  if (debt === undefined) return 'missing';
  return receivableStatus(debt, clock.now()) === 'overdue' ? 'overdue' : 'other';
}

export function findWriteOff(tx: Transaction, receivableId: string): Promise<WriteOff | undefined> {
  return queryRow<WriteOff>(tx, 'SELECT * FROM write_offs WHERE receivable_id = $1', [
    receivableId,
  ]);
}

/** Writes a locked debt off with what its ledger says that it owes. */
function insertWriteOff(
  tx: Transaction,
  {
    receivableId,
    reason,
    requestedBy,
    approvedBy,
  }: { receivableId: string; reason: string; requestedBy: string; approvedBy: string | null },
): Promise<WriteOff> {
  return queryOne<WriteOff>(
    tx,
    `INSERT INTO write_offs (receivable_id, principal_cents, interest_cents, iva_cents,
       receivable_version, reason, requested_by, approved_by, created_at)
     SELECT receivable_id, sum(principal_cents), sum(interest_cents), sum(iva_cents), max(version),
            $2, $3, $4, greatest(now(), max(created_at))
       FROM receivable_entries WHERE receivable_id = $1 GROUP BY receivable_id
     RETURNING *`,
    [receivableId, reason, requestedBy, approvedBy],
  );
}

async function requestWriteOff(
  tx: Transaction,
  { receivableId, reason, by }: { receivableId: string; reason: string; by: Caller },
): Promise<ChangeRequested> {
  const shown = await queryOne<{ cornerStoreId: string; amountCents: number }>(
    tx,
    `SELECT corner_store_id, (SELECT sum(principal_cents + interest_cents + iva_cents)::bigint
                                FROM receivable_entries WHERE receivable_id = $1) AS amount_cents
       FROM receivables WHERE id = $1`,
    [receivableId],
  );
  const change = { kind: 'receivable.write-off', payload: { reason }, shown, before: {} } as const;
  return requestChange(tx, { ...change, by, targetId: receivableId, reason });
}

/**
 * Makes an approved write-off, once, or forgets a rejected or expired one. A debt that was paid
 * meanwhile is left alone; one that was paid in part is written off with the rest.
 */
export async function decideWriteOff(
  context: Context,
  messageId: string,
  decided: ChangeDecided,
): Promise<void> {
  await decideChange<'receivable.write-off', DebtState>(context, messageId, decided, {
    executed: paymentsChangeExecuted,
    lock: (tx, { targetId }) => lockOverdue(context, tx, targetId),
    make: async (tx, { targetId, payload, requestedBy }, { target, approvedBy }) => {
      if (target !== 'overdue' || (await findWriteOff(tx, targetId)) !== undefined) {
        return CHANGE_TARGET_CHANGED;
      }
      const { reason } = payload as { reason: string };
      await insertWriteOff(tx, { receivableId: targetId, reason, requestedBy, approvedBy });
      return undefined;
    },
  });
}
