import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { About, DescribedAs } from '@fiado/contracts/about';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { CREDIT_NOTE_REASONS } from '@fiado/contracts/credit-notes';
import { IsNonEmptyText, IsPositiveAmount, IsVisible } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { centsOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { lockOrder } from '../orders/order.sql';
import { bookOrRequestCreditNote, type Credit } from './book-credit-note';
import {
  type CreditNote,
  creditNoteAnswer,
  exampleCreditNote,
  presentCreditNote,
} from './credit-note';

/** Characters, as of the wholesaler's own id of an order. */
const MAX_REFERENCE = 200;

@DescribedAs(creditNoteAnswer.properties)
class CreditNoteBody {
  @About(
    'Price of the goods that are credited, without interest and IVA; at most what is left of the delivered amount',
    120,
  )
  @IsPositiveAmount()
  amount: number;

  @IsIn(CREDIT_NOTE_REASONS)
  reason: CreditNote['reason'];

  @About('The wholesaler’s own id of the credit note, unique for its order', 'DEV-1201')
  @IsOptional()
  @IsNonEmptyText(MAX_REFERENCE)
  @IsVisible()
  reference?: string;
}

export function creditOf({ amount, reason, reference }: CreditNoteBody): Credit {
  return { amountCents: centsOf(amount), reason, reference: reference ?? null };
}

/** Shared by the endpoints of wholesalers and of ops. */
export const creditNoteCreation = {
  body: CreditNoteBody,
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_NOT_CREDITABLE',
    'CREDIT_NOTE_ALREADY_EXISTS',
    'CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
    'CHANGE_ALREADY_REQUESTED',
  ],
  mayWait: true,
  idempotent: true,
  status: 201,
  answer: creditNoteAnswer,
  present: presentCreditNote,
} as const;

export const createCreditNoteEndpoint = endpoint({
  ...creditNoteCreation,
  id: 'createCreditNote',
  as: 'transactions.createCreditNote',
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/credit-notes',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Credit goods of a delivered transaction',
  description:
    'For goods that came back, were damaged or missing, or cost less: within 60 days of the delivery, ' +
    'and not more than is left of the delivered amount. `amount` is the price of the goods; their interests, ' +
    'IVA and commission go with it. The store owes `totalAmount` less a moment later. What it had paid ' +
    'beyond that pays its other debts, or stays as its credit balance. The delivered amount of the ' +
    'transaction does not change. With `invoiceAction: credit-note-due` the transaction has an invoice; one that ' +
    'bills more than is left gets a credit note (CFDI) a moment later or, if it is a receipt, is cancelled with its provider and made anew, unless `cancellation` of ' +
    '`getInvoice` becomes `rejected`: then its issuer corrects it with the tax authority. `reference` names one credit note of the transaction. A note of ' +
    'more than you are still to be paid waits for the lender: 202. Once the lender approves it, it is listed and ' +
    '`transaction.credited` is published; otherwise `transaction.credit-note-refused`. `listCreditNotes` has the ' +
    'state of each request.',
  bodyExample: { amount: 120, reason: 'return', reference: 'DEV-1201' },
  example: exampleCreditNote,
  input: ({ body, caller, id }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    credit: creditOf(body),
  }),
  handle: createCreditNote,
});

/**
 * Credits goods of a wholesaler's delivered order, once for a reference.
 * @throws AppError TRANSACTION_NOT_FOUND, and those of bookOrRequestCreditNote
 */
export async function createCreditNote(
  context: Context,
  order: { wholesalerId: string; transactionId: string; credit: Credit },
  answerOf: StoreAnswer<CreditNote | ChangeRequested>,
): Promise<CreditNote | ChangeRequested> {
  const { wholesalerId, transactionId, credit } = order;
  return answerInTransaction(context, answerOf, async (tx) => {
    const locked = await lockOrder(tx, wholesalerId, transactionId);
    if (locked === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const by = { kind: 'wholesaler', id: wholesalerId } as const;
    return bookOrRequestCreditNote(context, tx, { order: locked, credit, by });
  });
}
