import { createHash } from 'node:crypto';
import { IsIn } from 'class-validator';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findWholesalerOf } from '../orders/order.sql';
import { INVOICE_XML_PURPOSE, InvoiceFileRow } from './invoice-file.entity';
import { providerOf } from './invoice-issuer';
import { type InvoiceProvider, type ProviderInvoice, SIMULATED } from './invoice-provider';
import { InvoiceRow } from './invoice.entity';

const FORMATS = ['xml', 'pdf'] as const;
export type FileFormat = (typeof FORMATS)[number];

class InvoiceFileQuery {
  @About('`xml`: the document itself. `pdf`: how its provider prints it')
  @IsIn(FORMATS)
  format: FileFormat = 'xml';
}

export const getInvoiceFileEndpoint = endpoint({
  id: 'getInvoiceFile',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/invoice/file',
  scope: 'transactions:read',
  names: { transactionId: 'order' },
  summary: 'Get the file of an invoice',
  description:
    'Of an issued invoice of the kind `invoice`; a receipt has none. The XML is what the tax authority stamped: it is kept here and ' +
    'served whatever becomes of the provider, which makes the PDF.',
  query: InvoiceFileQuery,
  errors: ['TRANSACTION_NOT_FOUND', 'INVOICE_FILE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  answer: t.binary,
  mediaType: 'application/octet-stream',
  input: ({ id, query: { format }, caller }) => ({
    format,
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
  handle: getInvoiceFile,
  headers: ({ name }) => ({ 'Content-Disposition': `attachment; filename="${name}"` }),
  present: ({ bytes }) => bytes,
});

/** @throws AppError TRANSACTION_NOT_FOUND, INVOICE_FILE_NOT_FOUND; SERVICE_UNAVAILABLE without the provider's PDF */
async function getInvoiceFile(
  context: Context,
  asked: { wholesalerId: string; transactionId: string; format: FileFormat },
): Promise<{ name: string; bytes: Buffer }> {
  const { wholesalerId, transactionId, format } = asked;
  const { db, sealer, log } = context;
  if ((await findWholesalerOf(db, transactionId)) !== wholesalerId) {
    throw new AppError('TRANSACTION_NOT_FOUND');
  }
  const invoice = await db.manager.findOneBy(InvoiceRow, { transactionId, kind: 'invoice' });
  const file = invoice && (await db.manager.findOneBy(InvoiceFileRow, { id: invoice.id }));
  if (!file) throw new AppError('INVOICE_FILE_NOT_FOUND');
  const name = `${file.uuid}.${format}`;
  if (format === 'xml') {
    return { name, bytes: Buffer.from(sealer.open(file.xmlSealed, INVOICE_XML_PURPOSE, file.id)) };
  }
  const issuer = await providerOf(context, db, wholesalerId, invoice.hasOwnIssuer);
  const bytes = await issuer?.provider
    .file(invoice.providerInvoiceId ?? '', format)
    .catch((error: unknown) =>
      log.warn({ err: error, invoiceId: invoice.id }, 'no PDF of an invoice'),
    );
  if (!bytes) throw new AppError('SERVICE_UNAVAILABLE');
  return { name, bytes };
}

/**
 * Stores the XML of a stamped invoice, once.
 * @throws Error while its provider does not have it
 */
export async function storeInvoiceFile(
  { db, sealer }: Context,
  provider: InvoiceProvider,
  { id, transactionId }: Pick<InvoiceRow, 'id' | 'transactionId'>,
  stamped: ProviderInvoice,
): Promise<void> {
  if (provider.name === SIMULATED) return;
  const { uuid } = stamped;
  const xml = await provider.file(stamped.id, 'xml');
  if (uuid === null || !xml.toString().toLowerCase().includes(uuid.toLowerCase())) {
    throw new Error('The XML of the invoice does not have its uuid');
  }
  await query(
    db,
    `INSERT INTO invoice_files (id, transaction_id, uuid, xml_sealed, sha256)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [
      id,
      transactionId,
      uuid,
      sealer.seal(xml.toString(), INVOICE_XML_PURPOSE, id),
      createHash('sha256').update(xml).digest(),
    ],
  );
}
