import Facturapi from 'facturapi';
import { query } from '@fiado/chassis/db/query';
import { type Callback, jsonCallback } from '@fiado/chassis/http/endpoint';
import { DOCUMENT_WEBHOOK_LIMIT } from '@fiado/contracts/body-limits';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { DOCUMENT_WAITS } from '../db/tax-documents.sql';
import { InvoiceIssuerRow } from './invoice-issuer.entity';
import { keyOf, WEBHOOK_PATH, webhookSecretOf } from './invoice-issuer';
import { WAITS_FOR_PROVIDER } from './invoice.sql';

/** An id of a document at Facturapi: hexadecimal digits today. */
const DOCUMENT_ID = /^[\w-]{1,100}$/;

/**
 * POST /v1/callbacks/facturapi/{issuerId}: Facturapi has news of a document of an issuer, which is named by its wholesaler.
 * It signs the body with the secret of the issuer (HMAC-SHA-256, in hexadecimal digits). Nothing but the id of the document
 * is read from it: the loop retrieves the document, where it waits for one. So it may be repeated, late and out of order.
 */
export function receiveFacturapiWebhook(context: Context): Callback {
  const path = `${WEBHOOK_PATH}/:issuerId`;
  return jsonCallback(path, DOCUMENT_WEBHOOK_LIMIT, async ({ bytes, header, id }) => {
    const wholesalerId = id('issuerId', 'FORBIDDEN');
    const event = await genuine(context, wholesalerId, {
      payload: bytes.toString(),
      signature: header('facturapi-signature') ?? '',
    });
    const documentId = documentOf(event);
    if (documentId === undefined) return;
    const due = await query(
      context.db,
      `UPDATE invoices SET next_attempt_at = now()
        WHERE wholesaler_id = $1 AND (${WAITS_FOR_PROVIDER}) AND has_own_issuer
          AND provider_invoice_id = $2 AND next_attempt_at > now()
       RETURNING 1`,
      [wholesalerId, documentId],
    );
    if (due.length > 0) context.invoiceLoop.wake();
    // Their loop looks every few seconds.
    await query(
      context.db,
      `UPDATE tax_documents SET next_attempt_at = now()
        WHERE wholesaler_id = $1 AND (${DOCUMENT_WAITS}) AND provider_document_id = $2
          AND next_attempt_at > now()`,
      [wholesalerId, documentId],
    );
  });
}

/** The event, where its issuer's secret signed it. @throws AppError FORBIDDEN, INVALID_JSON */
async function genuine(
  context: Context,
  wholesalerId: string,
  sent: { payload: string; signature: string },
): Promise<object> {
  const issuer = await context.db.manager.findOneBy(InvoiceIssuerRow, { wholesalerId });
  const secret = issuer && webhookSecretOf(context, issuer);
  if (issuer === null || !secret) throw new AppError('FORBIDDEN');
  const { webhooks } = new Facturapi(keyOf(context, issuer));
  try {
    return await webhooks.validateSignature({ ...sent, secret });
  } catch (error) {
    // The body is read once its signature is right.
    const isSigned = error instanceof SyntaxError;
    throw new AppError(isSigned ? 'INVALID_JSON' : 'FORBIDDEN', { cause: error });
  }
}

function documentOf(event: unknown): string | undefined {
  const { data } = Object(event) as { data?: { object?: { id?: unknown } } | null };
  const id = data?.object?.id;
  return typeof id === 'string' && DOCUMENT_ID.test(id) ? id : undefined;
}
