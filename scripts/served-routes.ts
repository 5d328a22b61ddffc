import { routes as accountsRoutes } from '@fiado/accounts/http/routes';
import { routes as notifierRoutes } from '@fiado/notifier/http/routes';
import { routes as paymentsRoutes } from '@fiado/payments/http/routes';
import type { Route } from '@fiado/shared/chassis/http/server';
import { routes as transactionsRoutes } from '@fiado/transactions/http/routes';

export type ServiceName = 'accounts' | 'transactions' | 'payments' | 'notifier';

/** A context of any service whose every part is another such thing: no handler made with it runs. */
const nothing: never = new Proxy(
  Object.freeze(() => {}),
  { get: () => nothing },
) as never;

/** The route tables of all services, as they serve them. */
export function servedRoutes(): Record<ServiceName, Route[]> {
  return {
    accounts: accountsRoutes(nothing),
    transactions: transactionsRoutes(nothing),
    payments: paymentsRoutes(nothing),
    notifier: notifierRoutes(nothing),
  };
}
