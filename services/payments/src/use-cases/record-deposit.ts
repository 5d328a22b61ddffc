import { storeAnswer, type StoreAnswer, type StoredAnswer } from '@fiado/chassis/idempotency';
import { outboxRows } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { applyDeposit } from '@fiado/contracts/jobs/apply-deposit';
import { depositHash } from '../domain/deposit-hash';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { keepConflict } from '../db/deposits.repository';
import { countDeposit } from '../metrics';
import {
  insertDeposit,
  KEPT_REFERENCE_LENGTH,
  type KnownDeposit,
  type NewDeposit,
} from '../db/insert-deposit';

/** A provider's notice: validated, but not matched yet. */
export type RecordDeposit = Omit<NewDeposit, 'id' | 'bodyHash'>;

/**
 * Stores a deposit and leaves its processing to the job `apply-deposit` (recordDeposit). The same
 * five values under the same key change nothing.
 * @throws AppError DEPOSIT_CONFLICT if the key belongs to other values; the body is stored for ops
 */
export async function recordDeposit(
  context: Context,
  notice: RecordDeposit,
  answerOf: StoreAnswer<void>,
): Promise<void> {
  const deposit = {
    ...notice,
    id: newId(),
    idFactura: startOf(notice.idFactura),
    numeroReferencia: startOf(notice.numeroReferencia),
    // Over the whole texts: two that differ only after the stored start are different.
    bodyHash: depositHash(notice),
  };
  const known = await store(context, deposit, answerOf());

  if (!known.bodyHash.equals(deposit.bodyHash)) {
    await keepConflict(context.db, known.id, deposit);
    countDeposit('contradicted');
    context.log.warn(
      { depositId: known.id },
      'provider sent a different deposit under the same claveDePago',
    );
    throw new AppError('DEPOSIT_CONFLICT');
  }
  const isNew = known.id === deposit.id;
  countDeposit(isNew ? 'received' : 'repeated');
  // A repetition left no job.
  if (isNew) context.relay.wake();
}

async function store(
  context: Context,
  deposit: NewDeposit,
  answer: StoredAnswer | undefined,
): Promise<KnownDeposit> {
  const { id: depositId } = deposit;
  const jobs = outboxRows(applyDeposit, { id: depositId, version: 1 }, { depositId });
  // The one statement needs no database transaction around it, an answer beside it does.
  if (answer === undefined) return insertDeposit(context.db, deposit, jobs);

  return context.db.transaction(async (tx) => {
    const known = await insertDeposit(tx, deposit, jobs);
    if (known.bodyHash.equals(deposit.bodyHash)) await storeAnswer(tx, answer);
    return known;
  });
}

/** Cut between characters: half of a surrogate pair is no text. */
function startOf(text: string): string {
  if (text.length <= KEPT_REFERENCE_LENGTH) return text;
  return Array.from(text).slice(0, KEPT_REFERENCE_LENGTH).join('');
}
