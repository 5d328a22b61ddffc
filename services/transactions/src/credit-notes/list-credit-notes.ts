import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { requireWholesalerOf } from '../orders/order.sql';
import {
  creditNoteRequestAnswer,
  exampleCreditNoteRequest,
  findCreditNoteRequests,
  presentCreditNoteRequest,
} from './credit-note-request';
import {
  creditNoteAnswer,
  exampleCreditNote,
  findCreditNotes,
  presentCreditNote,
} from './credit-note';

export const listCreditNotesEndpoint = endpoint({
  id: 'listCreditNotes',
  as: 'transactions.listCreditNotes',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/credit-notes',
  scope: 'transactions:read',
  names: { transactionId: 'order' },
  summary: 'List the credit notes of a transaction, oldest first',
  description:
    '`requests` are the notes that you asked for and that are not booked. `pending`: it waits for the lender, as ' +
    'the 202 of `createCreditNote` said. `rejected`: the lender refused it. `expired`: nobody decided for 72 hours. ' +
    '`replaced`: another note of the transaction was booked while it waited. `failed`: it was approved, and could no ' +
    'longer be booked; `failure` is the code of the error. After each of these you may ask again.',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('CreditNoteList', {
    creditNotes: t.list(creditNoteAnswer, 'Credit notes of the order, oldest first'),
    requests: t.list(
      creditNoteRequestAnswer,
      'Credit notes that you asked for and that are not booked',
    ),
  }),
  example: { creditNotes: [exampleCreditNote], requests: [exampleCreditNoteRequest] },
  input: ({ id, caller }) => ({
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: async ({ db }: Context, { transactionId, wholesalerId }) => {
    await requireWholesalerOf(db, transactionId, wholesalerId);
    return {
      notes: await findCreditNotes(db, transactionId),
      requests: await findCreditNoteRequests(db, { transactionId, wholesalerId }),
    };
  },
  present: ({ notes, requests }) => ({
    creditNotes: notes.map(presentCreditNote),
    requests: requests.map(presentCreditNoteRequest),
  }),
});
