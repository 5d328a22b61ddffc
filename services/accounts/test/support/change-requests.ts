import { staffMember, ops } from '@fiado/chassis/testing/callers';
import type { Caller } from '@fiado/contracts/caller';
import type { Answer } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { createCustomer, type Accounts } from './accounts';

export const CHANGE_REQUESTS = '/v1/admin/change-requests';

/** Somebody who has just signed in. */
export const person = (scope: 'operator' | 'approver' | 'admin' = 'approver'): Caller =>
  staffMember(scope, new Date());

/** A store with a limit of 5,000 pesos and a rate of 0.05. */
export async function newStore(accounts: Accounts, wholesalerId: string): Promise<string> {
  return (await createCustomer(accounts, wholesalerId)).cornerStoreId;
}

export function updateStore(
  accounts: Accounts,
  by: Caller,
  cornerStoreId: string,
  body: object,
): Promise<Answer> {
  return accounts.call(by, 'PUT', `/v1/admin/corner-stores/${cornerStoreId}`, { body });
}

export function approveChange(accounts: Accounts, id: string, by = person()): Promise<Answer> {
  return accounts.call(by, 'POST', `${CHANGE_REQUESTS}/${id}/approve`);
}

/** Waits until an approved change was made, or has failed. */
export async function changeEnded(accounts: Accounts, id: string): Promise<void> {
  await until('the change is made', async () => {
    const status = 'SELECT status FROM change_requests WHERE id = $1';
    return (await accounts.rows<{ status: string }>(status, [id]))[0]?.status !== 'approved';
  });
}

export async function shownChange(
  accounts: Accounts,
  id: string,
): Promise<Record<string, unknown>> {
  return (await accounts.call(ops(), 'GET', `${CHANGE_REQUESTS}/${id}`)).body;
}
