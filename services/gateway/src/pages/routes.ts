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
import { handleOpenKycLink } from './kyc-page';
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

const PLACES = ['/pedido', '/cuenta', '/kyc'];

/**
 * The pages that a corner store's owner opens from a link, in Spanish, without scripts, and the one
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
  pages.get('/kyc/:token', handleOpenKycLink(context));
  pages.use(PLACES, () => {
    throw new AppError('ROUTE_NOT_FOUND');
  });
  pages.use(PLACES, answerFailure(context));
  return pages;
}
