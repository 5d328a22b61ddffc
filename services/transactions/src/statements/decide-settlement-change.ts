import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { decideChange, type WaitingChange } from '@fiado/chassis/outbox/waiting-changes';
import { CHANGE_TARGET_CHANGED, type ChangeOf } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { type ChangeDecided, settlementChangeExecuted } from '@fiado/contracts/jobs/changes';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import type { Context } from '../context';
import { bookApprovedCreditNote, type Credit } from '../credit-notes/book-credit-note';
import { refuseCreditNote } from '../credit-notes/credit-note-request';
import { InvoiceIssuerRow } from '../invoices/invoice-issuer.entity';
import { type IssuerChange, lockWholesaler, storeIssuer } from '../invoices/invoice-issuer';
import { storeProfile } from '../tax-documents/wholesaler-tax-profile';
import { lockOrder } from '../orders/order.sql';
import { type Adjustment, writeAdjustment } from './adjust-settlement';
import { lockPayable, payStatement, type StatementPayment } from './pay-statement';
import { lockPaid, returnPayment } from './return-statement-payment';

type SettlementChange = WaitingChange<ChangeOf<'transactions'>>;

/**
 * Makes an approved change of what a wholesaler is owed or paid, once. A rejected or expired change is
 * deleted. A change that is no longer possible fails, and accounts shows why. If a credit note that the
 * wholesaler asked for is not booked, it gets the event `transaction.credit-note-refused`.
 */
export async function decideSettlementChange(
  context: Context,
  messageId: string,
  decided: ChangeDecided,
): Promise<void> {
  await decideChange<ChangeOf<'transactions'>, void>(context, messageId, decided, {
    executed: settlementChangeExecuted,
    // A newer credit note or issuer deletes one that waits.
    whenGone: CHANGE_TARGET_CHANGED,
    lock: lockTarget,
    make: async (tx, change, { approvedBy }) => {
      await makeChange(context, tx, change, approvedBy);
      return undefined;
    },
    refuse: refuseCreditNote,
  });
}

async function lockTarget(
  tx: Transaction,
  { kind, targetId, payload }: SettlementChange,
): Promise<void> {
  const isOfWholesaler =
    kind === 'invoice-issuer.set' ||
    kind === 'invoice-issuer.remove' ||
    kind === 'wholesaler-tax-profile.set';
  if (isOfWholesaler) {
    await lockWholesaler(tx, targetId);
    return;
  }
  const [table, id] =
    kind === 'settlement.adjust'
      ? ['transactions', (payload as Adjustment).transactionId]
      : [kind === 'credit-note.give' ? 'transactions' : 'statements', targetId];
  await query(tx, `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
}

async function makeChange(
  context: Context,
  tx: Transaction,
  { kind, targetId, changeRequestId, payload, requestedBy }: SettlementChange,
  approvedBy: string | null,
): Promise<void> {
  if (kind === 'invoice-issuer.set') {
    await storeIssuer(context, tx, targetId, payload as IssuerChange);
  } else if (kind === 'invoice-issuer.remove') {
    await tx.manager.delete(InvoiceIssuerRow, { wholesalerId: targetId });
  } else if (kind === 'wholesaler-tax-profile.set') {
    await storeProfile(tx, targetId, payload as TaxProfile);
  } else if (kind === 'settlement.adjust') {
    const decision = { requestedBy, approvedBy };
    await writeAdjustment(tx, changeRequestId, payload as Adjustment, decision);
  } else if (kind === 'statement.pay') {
    const statement = await lockPayable(tx, targetId);
    await payStatement(tx, statement, payload as StatementPayment, { requestedBy, approvedBy });
  } else if (kind === 'credit-note.give') {
    const { wholesalerId, ...credit } = payload as Credit & { wholesalerId: string };
    const order = await lockOrder(tx, wholesalerId, targetId);
    if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    await bookApprovedCreditNote(tx, order, credit, requestedBy);
  } else {
    const statement = await lockPaid(tx, targetId);
    await returnPayment(tx, statement, (payload as { reason: string }).reason);
  }
}
