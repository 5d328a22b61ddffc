import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { Context } from '../context';
import {
  answeredFile,
  type FileFormat,
  fileOf,
  FileQuery,
  type InvoiceFile,
} from '../invoices/invoice-file';
import { lenderProviderOf } from '../invoices/invoice-provider';
import { requireStatement } from '../statements/statement';
import type { TaxDocumentRow } from './tax-document.entity';

const reading = {
  ...answeredFile,
  summary: 'Get the file of the commission invoice of a statement',
  description:
    'The invoice (CFDI) of the lender for `commission` and `commissionIVA`, in the name of the wholesaler, or its credit note where these ' +
    'are negative. A statement has one if the lender knew the tax profile of the wholesaler when it closed; it is issued a moment later.',
  query: FileQuery,
  errors: ['STATEMENT_NOT_FOUND', 'INVOICE_FILE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: getCommissionFile,
} as const;

export const getCommissionInvoiceFileEndpoint = endpoint({
  ...reading,
  id: 'getCommissionInvoiceFile',
  tag: 'Statements',
  route: 'GET /v1/statements/:statementId/commission-invoice/file',
  scope: 'statements:read',
  names: { statementId: 'statement' },
  input: ({ id, query: { format }, caller }) => ({
    format,
    wholesalerId: caller.id,
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
  }),
});

export const getOpsCommissionInvoiceFileEndpoint = endpoint({
  ...reading,
  id: 'getStatementCommissionInvoiceFile',
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/:statementId/commission-invoice/file',
  scope: 'viewer',
  input: ({ id, query: { format } }) => ({
    format,
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
  }),
});

/** @throws AppError STATEMENT_NOT_FOUND, INVOICE_FILE_NOT_FOUND; SERVICE_UNAVAILABLE without the provider's PDF */
async function getCommissionFile(
  context: Context,
  {
    statementId,
    wholesalerId,
    format,
  }: { statementId: string; wholesalerId?: string; format: FileFormat },
): Promise<InvoiceFile> {
  await requireStatement(context.db, statementId, wholesalerId);
  const document = await queryRow<Pick<TaxDocumentRow, 'id'> & { providerId: string }>(
    context.db,
    `SELECT id, coalesce(provider_document_id, '') AS "providerId" FROM tax_documents
      WHERE statement_id = $1 AND document_id = id AND transaction_id IS NULL`,
    [statementId],
  );
  return fileOf(context, document, format, async () => lenderProviderOf(context.config));
}
