import { Router } from 'express';
import { act, show, type ConsoleContext } from '../http/serve';
import { showAudit } from './audit';
import { showCollection } from './collection';
import { assignDeposit, showDeposit, showDeposits } from './deposits';
import { showHome } from './home';
import { retryJob, showJobs } from './jobs';
import { showMessages } from './messages';
import { endSession, showSessions } from './my-sessions';
import { showOrders } from './orders';
import { changeRole, disableStaff, invite, showStaff } from './staff';
import { changeTerms, showStore, showStores } from './stores';
import { approve, reject, sendDocument, showQueue } from './validation';
import { enableWebhook, showWebhooks } from './webhooks';
import { showWholesalers } from './wholesalers';

/** The pages of a signed-in person, and their forms. */
export function pageRoutes(context: ConsoleContext): Router {
  const router = Router();
  router.get('/', show(context, showHome));
  router.get('/validacion', show(context, showQueue));
  router.post('/validacion/:cornerStoreId/aprobar', act(context, approve));
  router.post('/validacion/:cornerStoreId/rechazar', act(context, reject));
  router.get('/documentos/:cornerStoreId/:documentId', sendDocument(context));
  router.get('/tiendas', show(context, showStores));
  router.get('/tiendas/:cornerStoreId', show(context, showStore));
  router.post('/tiendas/:cornerStoreId', act(context, changeTerms));
  router.get('/depositos', show(context, showDeposits));
  router.get('/depositos/:depositId', show(context, showDeposit));
  router.post('/depositos/:depositId/asignar', act(context, assignDeposit));
  router.get('/pedidos', show(context, showOrders));
  router.get('/cobranza', show(context, showCollection));
  router.get('/mensajes', show(context, showMessages));
  router.get('/webhooks', show(context, showWebhooks));
  router.post('/webhooks/:webhookEndpointId/activar', act(context, enableWebhook));
  router.get('/trabajos', show(context, showJobs));
  router.post('/trabajos/:queue/:jobId/repetir', act(context, retryJob));
  router.get('/mayoristas', show(context, showWholesalers));
  router.get('/auditoria', show(context, showAudit));
  router.get('/personal', show(context, showStaff));
  router.post('/personal', act(context, invite));
  router.post('/personal/:staffId/papel', act(context, changeRole));
  router.post('/personal/:staffId/baja', act(context, disableStaff));
  router.get('/mis-sesiones', show(context, showSessions));
  router.post('/mis-sesiones/:sessionId/terminar', act(context, endSession));
  return router;
}
