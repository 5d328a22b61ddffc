import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { audit } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { EXAMPLE_INVOICE } from '@fiado/contracts/event-examples';
import type { Context } from '../context';
import { lockOrderRow, requireWholesalerOf } from '../orders/order.sql';
import { InvoiceRow } from './invoice.entity';
import { CANCEL_MOTIVES, type CancelMotive } from './invoice.rules';
import { findInvoice, invoiceAnswer, presentInvoice, type ShownInvoice } from './view-invoice';

class CancelInvoiceBody {
  @About(
    'Why, as a key of the catalogue c_Motivo of the tax authority. `01`: wrong, and another one takes its place. `02`: wrong. `03`: ' +
      'not sold. `04`: of an order that a global invoice names. A receipt has no motive: its provider does not get it',
    '02',
  )
  @IsIn(CANCEL_MOTIVES)
  motive: CancelMotive;

  @About(
    'Fiscal folio of the invoice that takes its place: with the motive `01` only',
    '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1',
  )
  @IsOptional()
  @IsUUID()
  substitutionUuid?: string;
}

const cancelling = {
  body: CancelInvoiceBody,
  bodyExample: { motive: '02' },
  errors: ['TRANSACTION_NOT_FOUND', 'INVOICE_NOT_FOUND', 'INVOICE_NOT_CANCELLABLE'],
  idempotent: true,
  answer: invoiceAnswer,
  example: { ...EXAMPLE_INVOICE, cancellation: 'requested' },
  handle: cancelInvoice,
  present: presentInvoice,
} as const;

const DESCRIPTION =
  'Asks the provider for it: `cancellation` is `requested` until it has answered, and its receiver where that has to agree. ' +
  'Then it is `accepted`, `rejected` or `expired`, and after the last two you may ask again. While one is asked for, and of a ' +
  'cancelled one, the answer is the invoice as it is. A cancelled one may be replaced by another `createInvoice`; its files stay ' +
  'with the lender.';

export const cancelInvoiceEndpoint = endpoint({
  ...cancelling,
  id: 'cancelInvoice',
  as: 'transactions.cancelInvoice',
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/invoice/cancel',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Cancel the invoice of a transaction',
  description: `${DESCRIPTION} When the transaction is cancelled, expires or shrinks, that happens by itself.`,
  input: ({ body, id, caller }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    ...checked(body),
  }),
});

export const cancelOpsInvoiceEndpoint = endpoint({
  ...cancelling,
  id: 'cancelTransactionInvoice',
  as: 'transactions.cancelInvoice',
  tag: 'Ops: transactions',
  route: 'POST /v1/admin/transactions/:transactionId/invoice/cancel',
  scope: 'operator',
  summary: 'Cancel the invoice of a transaction of any wholesaler',
  description: DESCRIPTION,
  input: ({ body, id, caller: by }) => ({
    by,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    ...checked(body),
  }),
});

/** @throws ValidationError, AppError INVOICE_NOT_CANCELLABLE */
function checked({ motive, substitutionUuid }: CancelInvoiceBody): Required<Cancellation> {
  if (motive === '01' && substitutionUuid === undefined) {
    throw new AppError('INVOICE_NOT_CANCELLABLE', {
      message: 'The motive 01 needs the substitutionUuid of the invoice that takes its place',
    });
  }
  if (motive !== '01' && substitutionUuid !== undefined) {
    throw new ValidationError(['substitutionUuid belongs to the motive 01']);
  }
  return { motive, substitutionUuid: substitutionUuid ?? null };
}

interface Cancellation {
  motive: CancelMotive;
  substitutionUuid: string | null;
}

interface CancelInvoice extends Cancellation {
  /** Undefined: of any, for ops. */
  wholesalerId?: string;
  transactionId: string;
  /** Whose action the audit log names. */
  by?: Caller;
}

/**
 * Stores that an issued invoice is to be cancelled, which the loop of invoices does (correct-invoice.ts).
 * @throws AppError TRANSACTION_NOT_FOUND, INVOICE_NOT_FOUND, INVOICE_NOT_CANCELLABLE
 */
async function cancelInvoice(
  context: Context,
  { wholesalerId, transactionId, motive, substitutionUuid, by }: CancelInvoice,
  answerOf: StoreAnswer<ShownInvoice>,
): Promise<ShownInvoice> {
  const result = await answerInTransaction(context, answerOf, async (tx) => {
    await requireWholesalerOf(tx, transactionId, wholesalerId);
    await lockOrderRow(tx, transactionId);
    const invoice = await findInvoice(tx, transactionId);
    if (invoice === undefined) throw new AppError('INVOICE_NOT_FOUND');
    if (invoice.status !== 'issued') throw new AppError('INVOICE_NOT_CANCELLABLE');
    if (invoice.cancellation === 'requested' || invoice.cancellation === 'accepted') return invoice;
    await tx.manager.update(InvoiceRow, invoice.id, {
      cancellation: 'requested',
      cancelMotive: motive,
      substitutionUuid,
      lastError: null,
      nextAttemptAt: () => 'now()',
    });
    if (by !== undefined) {
      const details = { invoiceId: invoice.id, motive };
      await audit(tx, by, { action: 'invoice.cancelled', objectId: transactionId, details });
    }
    return (await findInvoice(tx, transactionId)) ?? invoice;
  });
  context.invoiceLoop.wake();
  return result;
}
