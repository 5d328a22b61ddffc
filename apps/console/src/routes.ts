import { Router } from 'express';
import { approvalRoutes } from './approvals/approvals';
import { auditRoutes } from './audit/audit';
import { depositRoutes } from './deposits/deposits';
import { disputeRoutes } from './disputes/disputes';
import { exportRoutes } from './exports/exports';
import type { ConsoleContext, Route } from './frame/serve';
import { homeRoutes } from './home/home';
import { searchRoutes } from './home/search';
import { invoiceRoutes } from './invoices/invoices';
import { jobRoutes } from './jobs/jobs';
import { opsKeyRoutes } from './keys/ops-keys';
import { providerRoutes } from './keys/providers';
import { messageRoutes } from './messages/messages';
import { collectionRoutes } from './orders/collection';
import { orderRoutes } from './orders/orders';
import { privacyRoutes } from './privacy/privacy';
import { reportRoutes } from './reports/reports';
import { identityProviderRoutes } from './sign-in/identity-provider';
import { signInRoutes } from './sign-in/sign-in';
import { sessionRoutes } from './staff/my-sessions';
import { staffRoutes } from './staff/staff';
import { statementRoutes } from './statements/statements';
import { documentRoutes } from './stores/documents';
import { storeRoutes } from './stores/store';
import { storesRoutes } from './stores/stores';
import { validationRoutes } from './stores/validation';
import { webhookRoutes } from './webhooks/webhooks';
import { wholesalerRoutes } from './wholesalers/wholesalers';

const ROUTES: Route[] = [
  ...signInRoutes,
  ...identityProviderRoutes,
  ...homeRoutes,
  ...searchRoutes,
  ...validationRoutes,
  ...documentRoutes,
  ...approvalRoutes,
  ...storesRoutes,
  ...storeRoutes,
  ...depositRoutes,
  ...orderRoutes,
  ...disputeRoutes,
  ...collectionRoutes,
  ...reportRoutes,
  ...statementRoutes,
  ...invoiceRoutes,
  ...exportRoutes,
  ...messageRoutes,
  ...webhookRoutes,
  ...jobRoutes,
  ...wholesalerRoutes,
  ...providerRoutes,
  ...opsKeyRoutes,
  ...privacyRoutes,
  ...auditRoutes,
  ...staffRoutes,
  ...sessionRoutes,
];

/** All pages and forms. */
export function consoleRoutes(context: ConsoleContext): Router {
  const router = Router();
  for (const { method, path, handlerOf } of ROUTES) router[method](path, handlerOf(context));
  return router;
}
