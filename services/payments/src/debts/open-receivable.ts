import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { insertNotice } from '../notices/notices.sql';
import { type CreditBalance, lockCreditBalance } from '../payouts/credit-balance';
import { dueDayOf } from './due.rules';
import { spendCreditBalance } from './pay-receivables';
import { nextReference } from './references';

/**
 * Books the debt of a delivered order once, whether it comes from the event or from a call,
 * and applies the user's credit balance to it.
 * @param messageId of the job that brings it; absent when transactions was asked for it
 */
export async function openReceivable(
  context: Context,
  { delivered, messageId }: { delivered: TransactionDelivered; messageId?: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (messageId !== undefined && !(await enterInbox(tx, messageId))) return;
    const balance = await openCreditBalance(tx, delivered);
    const idFactura = await nextReference(tx, 'idFactura');
    const receivableId = await insertReceivable(tx, delivered, {
      idFactura,
      installationZone: context.config.TIME_ZONE,
    });
    if (receivableId === undefined) return;
    await insertNotice(tx, {
      kind: 'delivered',
      subjectId: receivableId,
      cornerStoreId: delivered.cornerStoreId,
      notBefore: context.clock.now(),
    });
    await spendCreditBalance(tx, balance);
  });
  context.relay.wake();
}

/** Locks a user's credit balance, and creates it with its `numeroReferencia` if there is none. */
async function openCreditBalance(
  tx: Transaction,
  { userId, cornerStoreId }: { userId: string; cornerStoreId: string },
): Promise<CreditBalance> {
  const known = await lockCreditBalance(tx, userId);
  if (known !== undefined) return known;

  const numeroReferencia = await nextReference(tx, 'numeroReferencia');
  // Of two concurrent first deliveries, the second one waits here and then finds the row of the
  // first.
  await query(
    tx,
    `INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia, balance_cents, version)
     VALUES ($1, $2, $3, 0, 0) ON CONFLICT DO NOTHING`,
    [userId, cornerStoreId, numeroReferencia],
  );
  const opened = await lockCreditBalance(tx, userId);
  if (opened === undefined) throw new Error('The corner store already belongs to another user');
  return opened;
}

/**
 * Books the debt of a delivered order, with the first entry of its ledger.
 * @returns the receivable's id; undefined when it is booked already
 */
async function insertReceivable(
  tx: Transaction,
  delivered: TransactionDelivered,
  { idFactura, installationZone }: { idFactura: string; installationZone: string },
): Promise<string | undefined> {
  const dueAt = new Date(delivered.dueAt);
  // An older event has neither: its due date is the end of a day of the installation.
  const { dueOn, timeZone } = dueDayOf(
    { dueAt, dueOn: delivered.dueOn ?? null, timeZone: delivered.timeZone ?? null },
    installationZone,
  );
  const [inserted] = await query<{ id: string }>(
    tx,
    `WITH receivable AS (
       INSERT INTO receivables
         (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
          principal_cents, interest_cents, iva_cents, due_at, due_on, time_zone, version)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1)
       ON CONFLICT (transaction_id) DO NOTHING
       RETURNING *
     )
     INSERT INTO receivable_entries
       (receivable_id, version, cause, principal_cents, interest_cents, iva_cents)
     SELECT id, version, 'opened', principal_cents, interest_cents, iva_cents FROM receivable
     RETURNING receivable_id AS id`,
    [
      newId(),
      delivered.transactionId,
      delivered.wholesalerId,
      delivered.cornerStoreId,
      delivered.userId,
      delivered.externalId,
      idFactura,
      delivered.principalCents,
      delivered.interestCents,
      delivered.ivaCents,
      dueAt,
      dueOn,
      timeZone,
    ],
  );
  return inserted?.id;
}
