import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { FileQuery, fileOf } from '../invoices/invoice-file';
import { lenderProviderOf } from '../invoices/invoice-provider';
import { requireStatement } from '../statements/statement';
import { TaxDocumentRow } from './tax-document.entity';

export const getCommissionInvoiceFileEndpoint = endpoint({
  id: 'getCommissionInvoiceFile',
  tag: 'Statements',
  route: 'GET /v1/statements/:statementId/commission-invoice/file',
  scope: 'statements:read',
  names: { statementId: 'statement' },
  summary: 'Get the file of the commission invoice of a statement',
  description:
    'The invoice (CFDI) of the lender for `commission` and `commissionIVA`, in the name of the wholesaler. A statement has one if the ' +
    'lender knew the tax profile of the wholesaler when it closed; it is issued a moment later.',
  query: FileQuery,
  errors: ['STATEMENT_NOT_FOUND', 'INVOICE_FILE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  answer: t.binary,
  mediaType: 'application/octet-stream',
  input: ({ id, query: { format }, caller }) => ({
    format,
    wholesalerId: caller.id,
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
  }),
  handle: async (context: Context, { statementId, wholesalerId, format }) => {
    await requireStatement(context.db, statementId, wholesalerId);
    const kind = 'commission';
    const row = await context.db.manager.findOneBy(TaxDocumentRow, { statementId, kind });
    const document = row ? { id: row.id, providerId: row.providerDocumentId ?? '' } : undefined;
    return fileOf(context, document, format, async () => lenderProviderOf(context.config));
  },
  headers: ({ name }) => ({ 'Content-Disposition': `attachment; filename="${name}"` }),
  present: ({ bytes }) => bytes,
});
