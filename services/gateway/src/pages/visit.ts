import type { Request } from 'express';
import { html } from '@fiado/chassis/html';
import { cookieOf } from '@fiado/chassis/http/request';
import { type CheckedAccount, openVisitCall } from '@fiado/contracts/account-visit';
import type { Context } from '../context';

/** The page "Mi cuenta", and the cookie of a visit to it. */
export const PATH = '/mi';
export const COOKIE = 'fiado-mi';
export const BACK = html`<p><a href="${PATH}">Volver a Mi cuenta</a></p>`;
/** Tokens as accounts makes them: anything else is not worth a call. */
const TOKEN = /^[\w-]{43}$/;

export const tokenOf = (req: Request): string | undefined => cookieOf(req, COOKIE, TOKEN);

/** The accounts of an open visit; undefined without one. */
export async function visitedAccounts(
  { accounts }: Context,
  req: Request,
): Promise<CheckedAccount[] | undefined> {
  const token = tokenOf(req);
  if (token === undefined) return undefined;
  const visit = await accounts.ask(openVisitCall, { token, sendCode: 'never' });
  return visit.state === 'open' ? visit.accounts : undefined;
}

/** What transactions knows an account by. */
export interface AccountOfStore {
  cornerStoreId: string;
  wholesalerId: string;
}

/** What transactions lists for each account; nothing while it does not answer, so that the debts still show. */
export async function ofEachAccount<Found>(
  { log }: Context,
  accounts: CheckedAccount[],
  ask: (account: AccountOfStore) => Promise<Found[]>,
): Promise<Found[]> {
  const asked = accounts.map(async ({ cornerStoreId, wholesalerId }) =>
    cornerStoreId === undefined ? [] : ask({ cornerStoreId, wholesalerId }),
  );
  try {
    return (await Promise.all(asked)).flat();
  } catch (error) {
    log.warn({ err: error }, 'the orders of a store could not be shown on its page');
    return [];
  }
}
