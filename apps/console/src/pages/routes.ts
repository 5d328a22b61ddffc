import { Router } from 'express';
import { act, show, type ConsoleContext } from '../http/serve';
import { approveChange, collectChange, rejectChange, showApproval } from './approval';
import { showApprovals } from './approvals';
import { showAudit } from './audit';
import { showCollection } from './collection';
import { assignDeposit, reverseDeposit, showDeposit, unassignDeposit } from './deposit';
import { showDeposits } from './deposits';
import { showHome } from './home';
import { retryJob, retryQueue, showJobs } from './jobs';
import { resendMessages, showMessages } from './messages';
import { endSession, showSessions } from './my-sessions';
import { showOrder } from './order';
import { clearPhoneHold } from './phone-hold';
import { showOrders } from './orders';
import { payOut, recordReturnedPayout } from './payouts';
import { showSearch } from './search';
import { changeRole, disableStaff, invite, showStaff } from './staff';
import { showStore } from './store';
import { changeTerms } from './store-terms';
import { showStores } from './stores';
import { approve, reject, sendDocument, showQueue } from './validation';
import { enableWebhook, showWebhooks } from './webhooks';
import { issueKey, revokeKey, showWholesaler } from './wholesaler';
import { showWholesalers } from './wholesalers';

/** The pages of a signed-in person, and their forms. */
export function pageRoutes(context: ConsoleContext): Router {
  const router = Router();
  router.get('/', show(context, showHome));
  router.get('/validacion', show(context, showQueue));
  router.post('/validacion/:cornerStoreId/aprobar', act(context, approve, showQueue));
  router.post('/validacion/:cornerStoreId/rechazar', act(context, reject, showQueue));
  router.get('/documentos/:cornerStoreId/:documentId', sendDocument(context));
  router.get('/aprobaciones', show(context, showApprovals));
  router.get('/aprobaciones/:changeRequestId', show(context, showApproval));
  router.post('/aprobaciones/:changeRequestId/aprobar', act(context, approveChange, showApproval));
  router.post('/aprobaciones/:changeRequestId/rechazar', act(context, rejectChange, showApproval));
  router.post('/aprobaciones/:changeRequestId/recoger', act(context, collectChange, showApproval));
  router.get('/tiendas', show(context, showStores));
  router.get('/tiendas/:cornerStoreId', show(context, showStore));
  router.post('/tiendas/:cornerStoreId', act(context, changeTerms, showStore));
  router.post('/tiendas/:cornerStoreId/liberar-telefono', act(context, clearPhoneHold, showStore));
  router.post('/tiendas/:cornerStoreId/pagos', act(context, payOut, showStore));
  router.post(
    '/tiendas/:cornerStoreId/pagos/:payoutId/devuelto',
    act(context, recordReturnedPayout, showStore),
  );
  router.get('/depositos', show(context, showDeposits));
  router.get('/depositos/:depositId', show(context, showDeposit));
  router.post('/depositos/:depositId/asignar', act(context, assignDeposit, showDeposit));
  router.post('/depositos/:depositId/retirar', act(context, unassignDeposit, showDeposit));
  router.post('/depositos/:depositId/revertir', act(context, reverseDeposit, showDeposit));
  router.get('/pedidos', show(context, showOrders));
  router.get('/pedidos/:transactionId', show(context, showOrder));
  router.get('/buscar', show(context, showSearch));
  router.post('/buscar', act(context, showSearch));
  router.get('/cobranza', show(context, showCollection));
  router.get('/mensajes', show(context, showMessages));
  router.post('/mensajes/reenviar', act(context, resendMessages, showMessages));
  router.get('/webhooks', show(context, showWebhooks));
  router.post('/webhooks/:webhookEndpointId/activar', act(context, enableWebhook, showWebhooks));
  router.get('/trabajos', show(context, showJobs));
  router.post('/trabajos/:queue/:jobId/repetir', act(context, retryJob, showJobs));
  router.post('/trabajos/:queue/repetir', act(context, retryQueue, showJobs));
  router.get('/mayoristas', show(context, showWholesalers));
  router.get('/mayoristas/:wholesalerId', show(context, showWholesaler));
  router.post('/mayoristas/:wholesalerId/llaves', act(context, issueKey, showWholesaler));
  router.post(
    '/mayoristas/:wholesalerId/llaves/:apiKeyId/revocar',
    act(context, revokeKey, showWholesaler),
  );
  router.get('/auditoria', show(context, showAudit));
  router.get('/personal', show(context, showStaff));
  router.post('/personal', act(context, invite, showStaff));
  router.post('/personal/:staffId/rol', act(context, changeRole, showStaff));
  router.post('/personal/:staffId/baja', act(context, disableStaff, showStaff));
  router.get('/mis-sesiones', show(context, showSessions));
  router.post('/mis-sesiones/:sessionId/terminar', act(context, endSession, showSessions));
  return router;
}
