import { routes as accounts } from '@fiado/accounts/routes';
import { routes as notifier } from '@fiado/notifier/routes';
import { routes as payments } from '@fiado/payments/routes';
import type { Route } from '@fiado/chassis/http/endpoint';
import { routes as transactions } from '@fiado/transactions/routes';

/** The endpoints of each service, as it serves them. */
export const servedRoutes: Record<string, Route[]> = {
  accounts,
  transactions,
  payments,
  notifier,
};
