import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { EXAMPLE_INVOICE } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import { PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { BILLED_CENTS } from '../db/tax-documents.sql';
import { transactionFields } from '../orders/order-view';
import { SIMULATED } from './invoice-provider';
import type { InvoiceRow } from './invoice.entity';
import { DOCUMENT_KINDS, type DocumentKind, INVOICEABLE } from './invoice.rules';
import { CANCELLATIONS, INVOICE_STATUSES, invoiceFields } from './view-invoice';

class ListInvoicesQuery extends PageQuery {
  /** First day or moment of creation. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which it was created. */
  @IsOptional()
  @IsDateText()
  to?: string;

  @About('Only invoices in the name of a store, or only receipts')
  @IsOptional()
  @IsIn(DOCUMENT_KINDS)
  kind?: DocumentKind;

  @IsOptional()
  @IsIn(INVOICE_STATUSES)
  status?: InvoiceRow['status'];
}

class ListOpsInvoicesQuery extends ListInvoicesQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @About(
    'Only those whose cancellation is in that state. `rejected`: the provider or the receiver will not, as of a receipt that the ' +
      'store has turned into its invoice; the accountant of the wholesaler corrects it',
  )
  @IsOptional()
  @IsIn(CANCELLATIONS)
  cancellation?: InvoiceRow['cancellation'];

  @About('Only those whose transaction may have an invoice: it is confirmed, and did not end')
  @IsOptional()
  @IsIn(['true', 'false'])
  invoiceable?: 'true' | 'false';
}

const summaryFields = {
  invoiceId: invoiceFields.invoiceId,
  transactionId: invoiceFields.transactionId,
  wholesalerTransactionId: t.nullable(fields.wholesalerTransactionId),
  kind: invoiceFields.kind,
  status: invoiceFields.status,
  cancellation: invoiceFields.cancellation,
  total: invoiceFields.total,
  isSimulated: invoiceFields.isSimulated,
  uuid: invoiceFields.uuid,
  lastError: invoiceFields.lastError,
  failureReason: invoiceFields.failureReason,
  createdAt: invoiceFields.createdAt,
  issuedAt: invoiceFields.issuedAt,
};

const summaryAnswer = t.object('InvoiceSummary', summaryFields);

const opsSummaryAnswer = t.object('OpsInvoiceSummary', {
  ...summaryFields,
  wholesalerId: fields.wholesalerId,
  wholesaler: transactionFields.wholesaler,
});

const example: t.ExampleOf<typeof summaryAnswer> = {
  invoiceId: EXAMPLE_INVOICE.invoiceId,
  kind: 'invoice',
  status: 'issued',
  lastError: null,
  failureReason: null,
  issuedAt: EXAMPLE_INVOICE.issuedAt,
};

const DESCRIPTION =
  'By the time of their creation. `getInvoice` shows the lines of one. One that is made anew, smaller or after it failed or was ' +
  'cancelled, takes the place of the one before.';

export const listInvoicesEndpoint = listEndpoint({
  id: 'listInvoices',
  as: 'transactions.listInvoices',
  tag: 'Transactions',
  route: 'GET /v1/invoices',
  scope: 'transactions:read',
  names: {},
  summary: 'List invoices, newest first',
  description: DESCRIPTION,
  query: ListInvoicesQuery,
  page: 'InvoicePage',
  items: { invoices: t.field(summaryAnswer, 'Invoices and receipts, newest first') },
  example,
  input: ({ query: asked, caller }, { config }: Context) => ({
    ...listOf(asked, config.TIME_ZONE),
    wholesalerId: caller.id,
  }),
  find: findInvoices,
  present: (invoice) => t.presentRow(summaryAnswer, invoice, shownOf(invoice)),
});

export const listOpsInvoicesEndpoint = listEndpoint({
  id: 'listOpsInvoices',
  as: 'invoices.list',
  columns: [
    'transactionId',
    'wholesaler',
    'wholesalerTransactionId',
    'kind',
    'status',
    'cancellation',
    'total',
    'uuid',
    'failureReason',
    'createdAt',
  ],
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/invoices',
  scope: 'viewer',
  summary: 'List the invoices of all wholesalers, newest first',
  description: DESCRIPTION,
  query: ListOpsInvoicesQuery,
  page: 'OpsInvoicePage',
  items: { invoices: t.field(opsSummaryAnswer, 'Invoices and receipts, newest first') },
  example,
  input: ({ query: asked }, { config }: Context) => listOf(asked, config.TIME_ZONE),
  find: findInvoices,
  present: (invoice) => t.presentRow(opsSummaryAnswer, invoice, shownOf(invoice)),
});

const listOf = ({ from, to, ...asked }: ListOpsInvoicesQuery, timeZone: string) => ({
  ...asked,
  from: readDate('from', from, timeZone),
  to: readDate('to', to, timeZone),
});

/** An invoice without its lines, with its order and its wholesaler. */
export type InvoiceOfList = Pick<
  InvoiceRow,
  | 'id'
  | 'transactionId'
  | 'wholesalerId'
  | 'kind'
  | 'status'
  | 'cancellation'
  | 'provider'
  | 'uuid'
  | 'lastError'
  | 'failureReason'
  | 'createdAt'
  | 'issuedAt'
> & { wholesaler: string; wholesalerTransactionId: string | null; totalCents: number };

const IS_INVOICEABLE = `t.status IN (${INVOICEABLE.map((status) => `'${status}'`).join()})`;

function findInvoices(
  { db }: Context,
  {
    wholesalerId,
    kind,
    status,
    cancellation,
    invoiceable,
    from,
    to,
    ...asked
  }: ReturnType<typeof listOf>,
) {
  return pageOfRows<InvoiceOfList>(db, asked, {
    // Up to 500 lines are added up here, and stay here.
    select: `SELECT i.id, i.transaction_id, i.wholesaler_id, i.kind, i.status, i.cancellation, i.provider, i.uuid,
        i.last_error, i.failure_reason, i.created_at, i.issued_at, w.name AS wholesaler,
        t.wholesaler_transaction_id,
        coalesce(${BILLED_CENTS}, 0) AS "totalCents"
      FROM invoices i JOIN transactions t ON t.id = i.transaction_id
      JOIN wholesalers w ON w.wholesaler_id = i.wholesaler_id`,
    from: 'invoices i',
    of: { wholesaler_id: wholesalerId },
    where: {
      'i.created_at >= $': from,
      'i.created_at < $': to,
      'i.kind = $': kind,
      'i.status = $': status,
      'i.cancellation = $': cancellation,
      [IS_INVOICEABLE]: invoiceable === 'true' ? true : undefined,
    },
    by: 'created_at',
  });
}

function shownOf({ id, totalCents, provider }: InvoiceOfList) {
  return { invoiceId: id, total: amountOf(totalCents), isSimulated: provider === SIMULATED };
}
