import { Router, urlencoded } from 'express';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import {
  handleLeaveAccountButton,
  handleOpenAccount,
  handleSendAccountCode,
  handleTypeAccountCode,
} from './account-pages';
import { answerFailure } from './answer-failure';
import {
  handleConsent,
  handleFinishKyc,
  handleOpenKycLink,
  handleSendPhoto,
  handleSendStoreData,
  handleShowKycStep,
} from './kyc-page';
import { handleShowPhotoScript } from './kyc-script';
import { PHOTO_SCRIPT_PATH } from './kyc-steps';
import {
  handleAcceptOrder,
  handleLeaveButton,
  handleOpenOrder,
  handleResendOrderCode,
  handleSendOrderCode,
  handleTypeOrderCode,
} from './order-pages';
import { guardPages } from './send-page';
import { handleShowStart, requireBrowser } from './start-page';

/** A form with a code in it, with room to spare. */
const FORM_LIMIT = '2kb';
/** The data of a store: 700 characters, of which each may take twelve bytes in a form. */
const STORE_FORM_LIMIT = '16kb';

const PLACES = ['/pedido', '/cuenta', '/kyc'];

/**
 * The pages that a corner store's owner opens from a link, in Spanish, needing no script, and the one
 * that shows a developer where to begin.
 */
export function pageRoutes(context: Context): Router {
  const pages = Router();
  const form = urlencoded({ extended: false, limit: FORM_LIMIT });
  pages.get('/', requireBrowser, guardPages(context), handleShowStart);
  pages.use(PLACES, guardPages(context));
  pages.get('/pedido/:transactionId', handleOpenOrder(context));
  pages.post('/pedido/:transactionId', form, handleTypeOrderCode(context));
  pages.get('/pedido/:transactionId/aceptar', handleLeaveButton());
  pages.post('/pedido/:transactionId/aceptar', form, handleAcceptOrder(context));
  pages.get('/pedido/:transactionId/enviar', handleLeaveButton());
  pages.post('/pedido/:transactionId/enviar', handleSendOrderCode(context));
  pages.get('/pedido/:transactionId/reenviar', handleLeaveButton());
  pages.post('/pedido/:transactionId/reenviar', handleResendOrderCode(context));
  pages.get('/cuenta/:token', handleOpenAccount(context));
  pages.post('/cuenta/:token', form, handleTypeAccountCode(context));
  pages.get('/cuenta/:token/enviar', handleLeaveAccountButton());
  pages.post('/cuenta/:token/enviar', handleSendAccountCode(context, 'if-never-sent'));
  pages.get('/cuenta/:token/reenviar', handleLeaveAccountButton());
  pages.post('/cuenta/:token/reenviar', handleSendAccountCode(context, 'again'));
  pages.get(PHOTO_SCRIPT_PATH, handleShowPhotoScript());
  pages.get('/kyc/:token', handleOpenKycLink(context));
  pages.get('/kyc/:token/:step', handleShowKycStep(context));
  pages.post('/kyc/:token/aviso', form, handleConsent(context));
  const storeForm = urlencoded({ extended: false, limit: STORE_FORM_LIMIT });
  pages.post('/kyc/:token/datos', storeForm, handleSendStoreData(context));
  pages.post('/kyc/:token/terminar', handleFinishKyc(context));
  pages.post('/kyc/:token/:step', handleSendPhoto(context));
  pages.use(PLACES, () => {
    throw new AppError('ROUTE_NOT_FOUND');
  });
  pages.use(PLACES, answerFailure(context));
  return pages;
}
