import { createHash } from 'node:crypto';
import { IsIn, IsUUID, ValidateIf } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { audit } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { requireWholesalerOf } from '../orders/order.sql';
import { INVOICE_XML_PURPOSE, InvoiceFileRow } from './invoice-file.entity';
import { providerOf } from './invoice-issuer';
import { type InvoiceProvider, type ProviderInvoice, SIMULATED } from './invoice-provider';
import { TaxDocumentRow } from '../tax-documents/tax-document.entity';
import { InvoiceRow } from './invoice.entity';

const FORMATS = ['xml', 'pdf'] as const;
export type FileFormat = (typeof FORMATS)[number];

const FILE_KINDS = ['invoice', 'credit-note', 'payment'] as const;

export class FileQuery {
  @About('`xml`: the document itself. `pdf`: how its provider prints it')
  @IsIn(FORMATS)
  format: FileFormat = 'xml';
}

class InvoiceFileQuery extends FileQuery {
  @About('`credit-note`: what corrects the invoice. `payment`: a payment complement of it')
  @IsIn(FILE_KINDS)
  kind: (typeof FILE_KINDS)[number] = 'invoice';

  @About(
    'Which of them. Without it the newest invoice: `listTaxDocuments` has those that it replaced',
    '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1',
  )
  @ValidateIf(({ kind, uuid }: InvoiceFileQuery) => kind !== 'invoice' || uuid !== undefined)
  @IsUUID()
  uuid?: string;
}

/** How an endpoint answers with a file. */
export const answeredFile = {
  answer: t.binary,
  mediaType: 'application/octet-stream',
  headers: ({ name }: InvoiceFile) => ({ 'Content-Disposition': `attachment; filename="${name}"` }),
  present: ({ bytes }: InvoiceFile) => bytes,
} as const;

const reading = {
  ...answeredFile,
  summary: 'Get the file of an invoice',
  query: InvoiceFileQuery,
  errors: ['TRANSACTION_NOT_FOUND', 'INVOICE_FILE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: getInvoiceFile,
} as const;

const DESCRIPTION =
  'Of an issued invoice of the kind `invoice`, of those that it replaced, and of the documents about it; a receipt has none. The XML is what the tax authority stamped: it is kept here and ' +
  'served whatever becomes of the provider, which makes the PDF.';

export const getInvoiceFileEndpoint = endpoint({
  ...reading,
  id: 'getInvoiceFile',
  tag: 'Transactions',
  route: 'GET /v1/transaction/:transactionId/invoice/file',
  scope: 'transactions:read',
  names: { transactionId: 'order' },
  description: DESCRIPTION,
  input: ({ id, query: { format, kind, uuid }, caller }) => ({
    format,
    kind,
    uuid,
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
});

export const getOpsInvoiceFileEndpoint = endpoint({
  ...reading,
  id: 'getTransactionInvoiceFile',
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/transactions/:transactionId/invoice/file',
  scope: 'operator',
  description: `${DESCRIPTION} It names the owner of the store, so each access is audited.`,
  input: ({ id, query: { format, kind, uuid }, caller: by }) => ({
    by,
    format,
    kind,
    uuid,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
  }),
});

export interface InvoiceFile {
  name: string;
  bytes: Buffer;
}

interface AskedFile extends Pick<InvoiceFileQuery, 'format' | 'kind'> {
  uuid: string | undefined;
  /** Undefined: of any, for ops. */
  wholesalerId?: string;
  transactionId: string;
  /** Whose look the audit log names. */
  by?: Caller;
}

/** @throws AppError TRANSACTION_NOT_FOUND, INVOICE_FILE_NOT_FOUND; SERVICE_UNAVAILABLE without the provider's PDF */
async function getInvoiceFile(context: Context, asked: AskedFile): Promise<InvoiceFile> {
  const { transactionId, format, by } = asked;
  const { db } = context;
  const wholesalerId = await requireWholesalerOf(db, transactionId, asked.wholesalerId);
  const document = await findDocument(db, asked);
  const file = await fileOf(context, document, format, async () => {
    return (await providerOf(context, db, wholesalerId, true))?.provider;
  });
  if (by !== undefined) {
    const details = { invoiceId: document?.id, format };
    await db.transaction((tx) =>
      audit(tx, by, { action: 'invoice-file.viewed', objectId: transactionId, details }),
    );
  }
  return file;
}

/** @throws AppError INVOICE_FILE_NOT_FOUND; SERVICE_UNAVAILABLE without the provider's PDF */
export async function fileOf(
  { db, sealer, log }: Context,
  document: { id: string; providerId: string } | undefined,
  format: FileFormat,
  findProvider: () => Promise<InvoiceProvider | undefined>,
): Promise<InvoiceFile> {
  const file = document && (await db.manager.findOneBy(InvoiceFileRow, { id: document.id }));
  if (!file) throw new AppError('INVOICE_FILE_NOT_FOUND');
  const name = `${file.uuid}.${format}`;
  if (format === 'xml') {
    return { name, bytes: Buffer.from(sealer.open(file.xmlSealed, INVOICE_XML_PURPOSE, file.id)) };
  }
  const provider = await findProvider();
  const bytes = await provider
    ?.file(document.providerId, format)
    .catch((error: unknown) =>
      log.warn({ err: error, documentId: document.id }, 'no PDF of an invoice'),
    );
  if (!bytes) throw new AppError('SERVICE_UNAVAILABLE');
  return { name, bytes };
}

/** A document of an order that has a file, by what names it. */
async function findDocument(
  { manager }: Db,
  { transactionId, kind, uuid = '' }: AskedFile,
): Promise<{ id: string; providerId: string } | undefined> {
  if (kind === 'invoice') {
    const newest = { transactionId, kind, ...(uuid !== '' && { uuid }) };
    const invoice = await manager.findOneBy(InvoiceRow, newest);
    if (invoice) return { id: invoice.id, providerId: invoice.providerInvoiceId ?? '' };
  }
  const row = await manager.findOneBy(TaxDocumentRow, { transactionId, kind, uuid });
  return row ? { id: row.documentId, providerId: row.providerDocumentId ?? '' } : undefined;
}

/**
 * Stores the XML of a stamped invoice, once.
 * @throws Error while its provider does not have it
 */
export async function storeInvoiceFile(
  { db, sealer }: Context,
  provider: InvoiceProvider,
  { id, transactionId }: Pick<InvoiceRow, 'id'> & { transactionId: string | null },
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
