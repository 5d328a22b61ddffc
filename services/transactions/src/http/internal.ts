import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { CreditUseQuestion, type CreditUseAnswer } from '@fiado/shared/contracts/credit-use';
import {
  DeliveredTransactionQuestion,
  type DeliveredTransactionAnswer,
} from '@fiado/shared/contracts/delivered-transaction';
import {
  ConfirmLinkQuestion,
  OpenLinkQuestion,
  type ConfirmedLink,
  type LinkState,
} from '@fiado/shared/contracts/links';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { findCreditUse } from '../db/credit-use.repository';
import { findDelivered } from '../db/delivered.repository';
import { confirmLink } from '../use-cases/confirm-link';
import { openLink } from '../use-cases/open-link';

/** POST /internal/credit-use: what accounts asks for its lookups. */
export function handleCreditUse(context: Context): RequestHandler {
  return async (req, res) => {
    const { cornerStoreIds } = validBody(CreditUseQuestion, req);
    const answer: CreditUseAnswer = { lines: await findCreditUse(context.db, cornerStoreIds) };
    res.json(answer);
  };
}

/** POST /internal/delivered-transaction: what payments asks when its event is not there yet. */
export function handleDeliveredTransaction(context: Context): RequestHandler {
  return async (req, res) => {
    const { transactionId, wholesalerId } = validBody(DeliveredTransactionQuestion, req);
    const found = await findDelivered(context.db, wholesalerId, transactionId);
    if (found === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const answer: DeliveredTransactionAnswer = { delivered: found.delivered };
    res.json(answer);
  };
}

/** POST /internal/links/open: what the gateway's page shows of an order behind a link. */
export function handleOpenLink(context: Context): RequestHandler {
  return async (req, res) => {
    const { transactionId, sendCode } = validBody(OpenLinkQuestion, req);
    const answer: LinkState = await openLink(context, transactionId, sendCode);
    res.json(answer);
  };
}

/** POST /internal/links/confirm: the code that was typed into that page. */
export function handleConfirmLink(context: Context): RequestHandler {
  return async (req, res) => {
    const { transactionId, code } = validBody(ConfirmLinkQuestion, req);
    const answer: ConfirmedLink = await confirmLink(context, transactionId, code);
    res.json(answer);
  };
}
