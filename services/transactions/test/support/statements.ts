import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Answer, unlessBusy } from '@fiado/chassis/testing/call';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { dayAfter } from '@fiado/contracts/clock';
import { ops } from '@fiado/chassis/testing/callers';
import { batchItem, sendBatch } from './orders';
import type { CornerStore, TransactionsService } from './transactions';

/** An order that is delivered with that amount, in pesos; from a batch, so that it needs no code. @returns its id */
export async function deliveredOrder(
  transactions: TransactionsService,
  store: CornerStore,
  amount: number,
  body: object = {},
): Promise<string> {
  const item = batchItem(store.cornerStoreId, { totalAmount: amount, ...body });
  const placed = await unlessBusy(() => sendBatch(transactions, store, [item]));
  const [{ transactionId }] = placed.body;
  const delivery = { status: 'delivery', transactionAmount: amount };
  const path = `/v1/transaction/${transactionId}`;
  const { status } = await transactions.call(store.caller, 'PUT', path, { body: delivery });
  expect(status).toBe(200);
  return transactionId;
}

/**
 * Now, for `until`. Lines have microseconds and `until` has milliseconds, so the millisecond of the last line
 * has to end first.
 */
export async function afterTheLastLine(): Promise<string> {
  const lastLine = Date.now();
  while (Date.now() === lastLine) await setTimeout(1);
  return new Date().toISOString();
}

/** Closes the statement of a wholesaler as of now, as ops does. */
export async function closeNow(
  transactions: TransactionsService,
  store: CornerStore,
): Promise<Answer> {
  return transactions.call(ops(), 'POST', '/v1/admin/statements/close', {
    body: { wholesalerId: store.caller.id, until: await afterTheLastLine() },
  });
}

/** Closes the statement of a wholesaler as of now, and records its payment: its money is out. */
export async function closeAndPay(
  transactions: TransactionsService,
  store: CornerStore,
): Promise<void> {
  const [{ statementId }] = (await closeNow(transactions, store)).body.statements;
  await pay(transactions, statementId);
}

/** The lender's day. */
export const today = (): string => dayAfter(new Date(), 'America/Mexico_City').date;

/** Records the payment of a statement. @returns the reference of its transfer */
export async function pay(transactions: TransactionsService, statementId: string): Promise<string> {
  const paidOn = today();
  const bankReference = `SPEI-${randomUUID()}`.slice(0, 30);
  const path = `/v1/admin/statements/${statementId}/mark-paid`;
  await changeApproved(transactions, path, { bankReference, paidOn });
  return bankReference;
}

/** Makes a change that one person of ops asks for and another one approves. */
export async function changeApproved(
  transactions: TransactionsService,
  path: string,
  body: object,
): Promise<void> {
  const asked = await transactions.call(ops('approver'), 'POST', path, { body });
  expect(asked.status).toBe(202);
  await decideChange(transactions, asked.body.changeRequestId);
}

/** Takes back a part of what was settled for an order, as two people of ops decide it. */
export async function clawBack(
  transactions: TransactionsService,
  { caller }: CornerStore,
  transactionId: string,
  amount: number,
): Promise<void> {
  const path = '/v1/admin/settlement-adjustments';
  const wanted = { transactionId, kind: 'clawback', amount, reason: 'Entrega falsa' };
  await changeApproved(transactions, path, { wholesalerId: caller.id, ...wanted });
}

/** The message of accounts once a second person has decided. */
export function decideChange(
  transactions: TransactionsService,
  changeRequestId: string,
  isApproved = true,
): Promise<unknown> {
  return transactions.handle(
    CHANGE_JOBS.settlement.decided,
    { id: changeRequestId, version: 1 },
    { changeRequestId, isApproved, decidedBy: randomUUID() },
  );
}

/** Why an approved change was not made; undefined when it was. */
export async function failureOfChange(
  transactions: TransactionsService,
  changeRequestId: string,
): Promise<string | undefined> {
  const rows = await transactions.rows<{ failure: string | null }>(
    `SELECT data->>'failure' AS failure FROM outbox
      WHERE type = 'settlement-change.executed' AND aggregate_id = $1`,
    [changeRequestId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.failure ?? undefined;
}
