import { Router, type RequestHandler } from 'express';
import { html } from '@fiado/chassis/html';
import { urlencodedForm } from '@fiado/chassis/http/utf8';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { answerFailure } from './answer-failure';
import { handleLeaveButton, handleOpenPage, handleSendCode, handleTypeCode } from './code-flow';
import { handleAskDenial, handleDenial } from './deny-page';
import { MAX_FORM_LENGTHS, PHOTO_PATH, PLACES } from './forms';
import {
  handleConsent,
  handleFinishKyc,
  handleOpenKycLink,
  handleSendPhoto,
  handleSendStoreData,
  handleShowKycStep,
  handleShowPhotoScript,
} from './kyc-page';
import { PHOTO_SCRIPT_PATH } from './kyc-views';
import { handleAcceptOrder, orderPage } from './order-pages';
import { guardPages, sendPage } from './send-page';
import {
  handleRemoveTaxProfile,
  handleSetTaxProfile,
  handleShowTaxProfile,
  TAX_PROFILE_PATH,
} from './tax-profile-page';
import {
  handleLeaveVisit,
  handleStartVisit,
  handleVisitOrder,
  handleWhatsappConsent,
  visitPage,
} from './visit-page';

/** Passes browsers on. A caller that does not ask for HTML gets the JSON of the next route. */
const requireBrowser: RequestHandler = (req, _res, next) => {
  if (req.accepts(['json', 'html']) === 'html') next();
  else next('route');
};

/** GET / in a browser: where to go next. */
const handleShowStart: RequestHandler = (_req, res) => {
  sendPage(res.vary('Accept'), {
    status: 200,
    title: 'Fiado API',
    language: 'en',
    content: html`<p>Fiado lets wholesalers sell on credit to corner stores.</p>
      <ul>
        <li><a href="/docs">API reference</a>: every endpoint, with examples in many languages</li>
        <li><a href="/openapi.json">OpenAPI document</a>: for generated clients</li>
        <li><a href="/health/ready">Health</a>: whether the API can serve requests</li>
      </ul>
      <p class="quiet">
        The API is under <code>/v1</code>. Send your key in the header <code>Authorization</code>.
      </p>
      <p class="quiet" lang="es-MX">
        ¿Recibiste un enlace por SMS? Ábrelo completo, tal como te llegó.
      </p>`,
  });
};

/**
 * The pages that a corner store's owner opens from a link, in Spanish, needing no script, and the one
 * that shows a developer where to begin.
 */
export function pageRoutes(context: Context): Router {
  const pages = Router();
  const post = (path: keyof typeof MAX_FORM_LENGTHS, handle: RequestHandler) =>
    pages.post(path, urlencodedForm({ limit: MAX_FORM_LENGTHS[path] }), handle);
  pages.get('/', requireBrowser, guardPages(context), handleShowStart);
  pages.use(PLACES, guardPages(context));
  const order = orderPage(context);
  pages.get('/pedido/:transactionId', handleOpenPage(order));
  post('/pedido/:transactionId', handleTypeCode(order));
  post('/pedido/:transactionId/aceptar', handleAcceptOrder(context));
  post('/pedido/:transactionId/enviar', handleSendCode(order, 'if-never-sent'));
  post('/pedido/:transactionId/reenviar', handleSendCode(order, 'again'));
  for (const button of ['aceptar', 'enviar', 'reenviar']) {
    pages.get(`/pedido/:transactionId/${button}`, handleLeaveButton(order));
  }
  const visit = visitPage(context);
  pages.get('/mi', handleOpenPage(visit));
  pages.get('/mi/pedido/:transactionId', handleVisitOrder(context));
  pages.get('/mi/pedido/:transactionId/no', handleAskDenial(context));
  post('/mi/pedido/:transactionId/no', handleDenial(context));
  post('/mi', handleTypeCode(visit));
  pages.get('/mi/factura', handleShowTaxProfile(context));
  post('/mi/factura', handleSetTaxProfile(context));
  post('/mi/factura/quitar', handleRemoveTaxProfile(context));
  post('/mi/empezar', handleStartVisit(context));
  post('/mi/reenviar', handleSendCode(visit, 'again'));
  post('/mi/salir', handleLeaveVisit());
  post('/mi/whatsapp', handleWhatsappConsent(context));
  for (const button of ['empezar', 'reenviar', 'salir', 'whatsapp']) {
    pages.get(`/mi/${button}`, handleLeaveButton(visit));
  }
  pages.get('/mi/factura/quitar', handleLeaveButton({ pathOf: () => TAX_PROFILE_PATH }));
  // Of links that were made until 1.0, and their forms.
  pages.use('/cuenta', handleLeaveButton(visit));
  pages.get(PHOTO_SCRIPT_PATH, handleShowPhotoScript());
  pages.get('/kyc/:token', handleOpenKycLink(context));
  pages.get('/kyc/:token/:step', handleShowKycStep(context));
  post('/kyc/:token/aviso', handleConsent(context));
  post('/kyc/:token/datos', handleSendStoreData(context));
  post('/kyc/:token/terminar', handleFinishKyc(context));
  pages.post(PHOTO_PATH, handleSendPhoto(context));
  pages.use(PLACES, () => {
    throw new AppError('ROUTE_NOT_FOUND');
  });
  pages.use(PLACES, answerFailure(context));
  return pages;
}
