import type { Transaction } from '@fiado/chassis/db/database';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query, timeOf } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { appendToOutbox, auditRows } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { amountOf } from '@fiado/contracts/money';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { spendCreditBalance } from '../debts/pay-receivables';
import { publishDefaults } from '../defaults/open-defaults';
import { lockCreditBalance, moveCreditBalance } from './credit-balance';
import { PayoutRow } from './payout.entity';

const PAYOUT_STATUSES = ['requested', 'paid', 'cancelled', 'returned'] as const;

/** A payout as it is read and shown. */
export type Payout = Omit<PayoutRow, 'bankReferenceKey' | `returnRequested${string}`>;

export const payoutAnswer = t.object('Payout', {
  payoutId: fields.payoutId,
  cornerStoreId: fields.cornerStoreId,
  amount: t.field(t.pesos, 'What is paid out', 42),
  bankReference: fields.bankReference,
  reason: fields.reason,
  status: t.field(
    t.oneOf(PAYOUT_STATUSES),
    '`requested`: the amount is reserved, and a second person decides. `cancelled`: rejected, or ' +
      'the money of the balance was taken back before the decision',
  ),
  requestedBy: fields.requestedBy,
  requestedAt: fields.requestedAt,
  paidAt: t.timeOrNull('When it was paid; null before', '2026-10-02T15:30:01.234Z'),
  returnedAt: t.timeOrNull('When it was booked back; null before', '2026-10-05T16:00:00.000Z'),
  /** To book it back. */
  returnRequestId: t.idOrNull(
    'The request to book it back that waits for a second person; else null',
    '0199e2c4-ae5f-7061-9c73-849506172839',
  ),
});

export const examplePayout: t.ExampleOf<typeof payoutAnswer> = {
  reason: 'La tienda pidió su saldo a favor',
  status: 'paid',
  requestedAt: '2026-10-02T15:30:01.234Z',
  returnedAt: null,
  returnRequestId: null,
};

export function presentPayout(
  payout: Payout & { returnRequestId?: string | null },
): t.AnswerOf<typeof payoutAnswer> {
  return t.presentRow(payoutAnswer, payout, {
    payoutId: payout.id,
    amount: amountOf(payout.amountCents),
    returnRequestId: payout.returnRequestId ?? null,
  });
}

/** A payout under the lock of its credit balance, which every change of it takes first. */
export async function lockPayout(tx: Transaction, id: string): Promise<Payout | null> {
  const find = () => tx.manager.findOneBy(PayoutRow, { id });
  const known = await find();
  if (known === null) return null;
  await lockCreditBalance(tx, known.userId);
  // Another statement sees what the lock waited for.
  return find();
}

/**
 * Audits what one person or key does with a payout. Accounts itself audits a change that a second person
 * decides.
 */
export function auditPayout(
  tx: Transaction,
  by: Caller,
  action: 'payout.paid' | 'payout.returned',
  { id: payoutId, cornerStoreId, amountCents }: Payout,
): Promise<void> {
  const details = { cornerStoreId, amountCents };
  return appendToOutbox(tx, auditRows(by, { action, objectId: payoutId, details }));
}

/** Gives the reserved money of a requested payout back to the locked credit balance. */
export async function cancelPayout(
  tx: Transaction,
  { id, userId, amountCents }: Payout,
): Promise<void> {
  await tx.manager.update(PayoutRow, id, { status: 'cancelled' });
  const movement = { cause: 'payout-cancelled', payoutId: id, cents: amountCents } as const;
  await moveCreditBalance(tx, userId, movement);
}

/** Gives the money of a paid payout, which the bank sent back, to the locked credit balance. */
export async function returnPayout(tx: Transaction, payout: Payout): Promise<Payout> {
  const { id, userId, amountCents } = payout;
  // Ends a request to book it back that waits for a second person.
  await query(tx, 'DELETE FROM waiting_changes WHERE target_id = $1', [id]);
  const returned = { status: 'returned', returnedAt: await timeOf(tx) } as const;
  await tx.manager.update(PayoutRow, id, returned);
  const movement = { cause: 'payout-returned', payoutId: id, cents: amountCents } as const;
  await moveCreditBalance(tx, userId, movement);
  await spendReturned(tx, userId);
  return { ...payout, ...returned };
}

/** Money that comes back pays what the user owes by now: no user has both debt and a balance. */
export async function spendReturned(tx: Transaction, userId: string): Promise<void> {
  const balance = await lockCreditBalance(tx, userId);
  if (balance === undefined) throw new Error('A payout has a credit balance');
  const closed = await spendCreditBalance(tx, balance);
  const { cornerStoreId } = balance;
  await publishDefaults(tx, [{ cornerStoreId, opened: [], closed }]);
}

export const listPayoutsEndpoint = listEndpoint({
  id: 'listPayouts',
  as: 'cornerStores.listPayouts',
  columns: [
    'payoutId',
    'status',
    'amount',
    'bankReference',
    'reason',
    'requestedAt',
    'paidAt',
    'returnedAt',
  ],
  tag: 'Ops: payments',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/payouts',
  scope: 'viewer',
  summary: 'List payouts of a corner store, newest first',
  description: 'Empty for a store that payments does not know.',
  query: PageQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  page: 'PayoutPage',
  items: { payouts: t.field(payoutAnswer, 'Payouts of a credit balance') },
  example: examplePayout,
  input: ({ id, query: { ...asked } }) => ({
    ...asked,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  find: ({ db }: Context, { cornerStoreId, ...asked }) =>
    pageOfRows<Payout & { returnRequestId: string | null }>(db, asked, {
      select: `SELECT *, (SELECT change_request_id FROM waiting_changes
                           WHERE target_id = payouts.id AND kind = 'payout.return') AS return_request_id
                 FROM payouts`,
      from: 'payouts',
      of: { corner_store_id: cornerStoreId },
    }),
  present: presentPayout,
});
