import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findWholesalerOf } from '../orders/order.sql';
import {
  creditNoteAnswer,
  exampleCreditNote,
  findCreditNotes,
  presentCreditNote,
} from './credit-note';

export const listCreditNotesEndpoint = endpoint({
  id: 'listCreditNotes',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/credit-notes',
  scope: 'transactions:read',
  summary: 'List the credit notes of a transaction, oldest first',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('CreditNoteList', { creditNotes: t.listOf(creditNoteAnswer) }),
  example: { creditNotes: [exampleCreditNote] },
  input: ({ id, caller }) => ({
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: async ({ db }: Context, { transactionId, wholesalerId }) => {
    const owner = await findWholesalerOf(db, transactionId);
    if (owner !== wholesalerId) throw new AppError('TRANSACTION_NOT_FOUND');
    return findCreditNotes(db, transactionId);
  },
  present: (notes) => ({ creditNotes: notes.map(presentCreditNote) }),
});
