import { query, queryRow } from '@fiado/chassis/db/query';
import { type Loop, loopOf } from '@fiado/chassis/loop';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { DOCUMENT_WAITS } from '../db/tax-documents.sql';
import { type InvoiceRow, RECEIVER_PURPOSE } from '../invoices/invoice.entity';
import { providerOfIssued } from '../invoices/correct-invoice';
import { storeInvoiceFile } from '../invoices/invoice-file';
import {
  CANCELLED,
  CancellationRefused,
  type InvoiceProvider,
  InvoiceRefused,
  lenderProviderOf,
  NotIssuedYet,
  type ProviderInvoice,
  retryAfterOf,
  WRONG,
} from '../invoices/invoice-provider';
import { type DocumentRequest, nextAttemptAt } from '../invoices/invoice.rules';
import { refuseAnotherTotal, TotalDiffers } from '../invoices/issue-invoice';
import { type Claimed, tryDue } from '../invoices/try-due';
import { countInvoiceTry } from '../metrics';
import type { StatementPaymentRow } from '../statements/statement-payment.entity';
import { StatementRow } from '../statements/statement.entity';
import { commissionDocument } from './commission-document.rules';
import { WholesalerTaxProfileRow } from './wholesaler-tax-profile.entity';
import { creditNoteDocument } from './credit-note-document.rules';
import { paymentComplement } from './payment-complement.rules';
import { TaxDocumentRow } from './tax-document.entity';
import { In } from '@fiado/chassis/db/typeorm';

const DOCUMENT_LOOP = 'issue tax documents';

/** How often due documents are looked for: days are left until they have to be there. */
const ISSUE_EVERY_MS = 5_000;

export function taxDocumentLoop(context: Context): Loop {
  return loopOf(context, {
    name: DOCUMENT_LOOP,
    everyMs: ISSUE_EVERY_MS,
    round: issueDueDocuments,
  });
}

/** Pause after a final refusal, in seconds: a receiver's data are mended within days, and no document is given up. */
const REFUSED_PAUSE_SECONDS = 3600;

type ClaimedDocument = Claimed<TaxDocumentRow>;

/** A round of the loop of documents. @returns true when there may be more */
export const issueDueDocuments = tryDue<ClaimedDocument>({
  loop: DOCUMENT_LOOP,
  table: 'tax_documents',
  waiting: DOCUMENT_WAITS,
  attempt: tryDocument,
});

/**
 * Tries once to issue a document, to look it up, or to cancel it. The provider is called outside any database transaction and
 * with our id, so that a retry after a crash asks for the same document. Nothing is given up: the document is owed to
 * the tax authority, and what the provider refuses today it may take once the receiver's data are right.
 */
async function tryDocument(context: Context, document: ClaimedDocument): Promise<void> {
  const { db, log } = context;
  const { id: documentId, providerDocumentId, now, attempts } = document;
  const isUnknown = providerDocumentId === null && !document.mayAlreadyExist;
  if (document.cancellation === 'requested' && isUnknown) {
    await db.manager.update(
      TaxDocumentRow,
      { documentId, status: 'pending' },
      { status: 'dropped' },
    );
    return;
  }
  try {
    const provider = await issuerOf(context, document);
    if (document.status === 'issued') {
      await cancelDocument(context, provider, document);
      return;
    }
    const outcome = await (providerDocumentId === null
      ? provider.stamp(await requestOf(context, document))
      : provider.find(providerDocumentId, 'invoice'));
    if (document.kind !== 'payment') {
      await refuseAnotherTotal(provider, 'invoice', document.cents, outcome);
    }
    if (!outcome.isPending) {
      // Until its file is here it stays pending, and is looked up by its id.
      await recordOutcome(context, document, { ...outcome, isPending: true }, provider.name);
      await storeInvoiceFile(context, provider, document, outcome);
    }
    await recordOutcome(context, document, outcome, provider.name);
    countInvoiceTry(outcome.isPending ? 'pending' : 'issued');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    const isRefused = error instanceof InvoiceRefused;
    const leastSeconds = isRefused ? REFUSED_PAUSE_SECONDS : retryAfterOf(error);
    const exists = providerDocumentId !== null || document.mayAlreadyExist;
    await db.manager.update(TaxDocumentRow, documentId, {
      lastError: reason,
      nextAttemptAt: nextAttemptAt(now, attempts, leastSeconds),
      mayExist: exists || !(isRefused || error instanceof NotIssuedYet),
    });
    const isAnother = error instanceof TotalDiffers;
    countInvoiceTry(isAnother ? 'total-differs' : isRefused ? 'failed' : 'retried');
    log.warn({ documentId, attempts, reason }, 'tax document not issued yet');
  }
}

/**
 * A document of an invoice is its wholesaler's own; what is about no transaction is the lender's.
 * @throws NotIssuedYet while there is no issuer
 */
async function issuerOf(
  context: Context,
  { transactionId, wholesalerId, provider: issuer }: ClaimedDocument,
): Promise<InvoiceProvider> {
  const isOfLender = transactionId === null;
  const provider = isOfLender
    ? lenderProviderOf(context.config)
    : await providerOfIssued(context, { provider: issuer, wholesalerId, hasOwnIssuer: true });
  if (provider !== undefined) return provider;
  throw new NotIssuedYet(`The ${isOfLender ? 'lender' : 'wholesaler'} has no invoice issuer`);
}

interface Part
  extends
    Pick<TaxDocumentRow, 'id' | 'cents' | 'nettedCents'>,
    Pick<InvoiceRow, 'uuid' | 'products' | 'discountCents' | 'receiverSealed'> {
  invoiceId: InvoiceRow['id'];
}

/**
 * What the provider is asked for.
 * @throws NotIssuedYet while an earlier complement of the statement is not cancelled; InvoiceRefused without its receiver
 */
async function requestOf(context: Context, document: ClaimedDocument): Promise<DocumentRequest> {
  const { db, config, sealer } = context;
  const { id: documentId } = document;
  if (document.transactionId === null) return commissionOf(context, document);
  const parts = await query<Part>(
    db,
    `SELECT d.id, d.invoice_id, d.cents, d.netted_cents, i.uuid, i.products, i.discount_cents, i.receiver_sealed
       FROM tax_documents d JOIN invoices i ON i.id = d.invoice_id
      WHERE d.document_id = $1 ORDER BY d.id`,
    [documentId],
  );
  const [first] = parts;
  if (first === undefined) throw new InvoiceRefused('Its invoices are gone');
  const nameOf = ({ receiverSealed, invoiceId }: Part): string => {
    if (receiverSealed === null) throw new InvoiceRefused('The data of the receiver were erased');
    return sealer.open(receiverSealed, RECEIVER_PURPOSE, invoiceId);
  };
  const receiver = JSON.parse(nameOf(first)) as TaxProfile;
  if (document.kind === 'credit-note') {
    const { transactionId, cents } = document;
    const of = { documentId, transactionId, receiver, invoice: first, cents };
    const note = creditNoteDocument({ ...of, paymentForm: config.NETTED_PAYMENT_FORM });
    if (note === undefined) throw new InvoiceRefused('Taxes by quota exceed the price of a line');
    return note;
  }
  // An invoice in another name gets a document of its own, before the provider is asked for this one.
  const invoices = parts.filter((part) => isOneTaxpayer(receiver, JSON.parse(nameOf(part))));
  await split(
    context,
    parts.filter((part) => !invoices.includes(part)),
  );
  const { statementId, createdAt } = document;
  const settled = await settlingOf(context, document);
  if (settled.isReturning && document.cancellation === 'none')
    throw new NotIssuedYet('An earlier complement is not cancelled yet');
  const { paidOn, bankReference, closedAt } = settled;
  const noon = paidOn === null ? closedAt : noonOf(paidOn, config.TIME_ZONE);
  return paymentComplement({
    documentId,
    statementId,
    receiver,
    invoices,
    // A future date is refused.
    date: noon < createdAt ? noon : createdAt,
    bankReference,
    nettedForm: config.NETTED_PAYMENT_FORM,
  });
}

/** @throws NotIssuedYet without a tax profile, and for a credit note while an invoice that it corrects is not issued */
async function commissionOf(
  { db, config }: Context,
  { id: documentId, kind, statementId, wholesalerId, cents }: ClaimedDocument,
): Promise<DocumentRequest> {
  const row = await db.manager.findOneBy(WholesalerTaxProfileRow, { wholesalerId });
  if (row === null) throw new NotIssuedYet('The wholesaler has no tax profile');
  const { email, ...profile } = row;
  const receiver = { ...profile, ...(email !== null && { email }) };
  const { number, ivaRate } = await db.manager.findOneByOrFail(StatementRow, {
    id: statementId ?? '',
  });
  const isCreditNote = kind === 'credit-note';
  const corrected = await query<Pick<TaxDocumentRow, 'status' | 'uuid'>>(
    db,
    'SELECT status, uuid FROM corrected_commissions($1) ORDER BY id',
    [isCreditNote ? statementId : null],
  );
  if (corrected.some(({ status }) => status === 'pending')) {
    throw new NotIssuedYet('The commission invoice that it corrects is not issued yet');
  }
  const paymentForm = config.COMMISSION_PAYMENT_FORM;
  const of = { documentId, statementId, number, ivaRate };
  return commissionDocument({ ...of, receiver, cents, paymentForm, isCreditNote, corrected });
}

function isOneTaxpayer(a: TaxProfile, b: TaxProfile): boolean {
  const [one, other] = [a, b].map(({ rfc, legalName, taxRegime, postalCode }) =>
    [rfc, legalName, taxRegime, postalCode].join('\n'),
  );
  return one === other;
}

/** Rows of other receivers become a document, which is claimed next. */
async function split({ db }: Context, others: Part[]): Promise<void> {
  const [first] = others;
  if (first === undefined) return;
  const ids = others.map(({ id }) => id);
  await db.manager.update(TaxDocumentRow, { id: In(ids) }, { documentId: first.id });
}

interface Settling {
  closedAt: StatementRow['closedAt'];
  paidOn: StatementPaymentRow['paidOn'] | null;
  bankReference: StatementPaymentRow['bankReference'] | null;
  /** Whether a complement of a payment that was returned is not cancelled yet. */
  isReturning: boolean;
}

async function settlingOf({ db }: Context, document: ClaimedDocument): Promise<Settling> {
  const settling = await queryRow<Settling>(
    db,
    `SELECT s.closed_at, p.paid_on::text AS "paidOn", p.bank_reference,
            EXISTS (SELECT FROM tax_documents earlier
                     WHERE earlier.statement_id = s.id AND earlier.document_id = earlier.id
                       AND earlier.kind = 'payment' AND earlier.cancellation = 'requested' AND earlier.status <> 'dropped'
                       AND earlier.id <> $3) AS "isReturning"
       FROM statements s LEFT JOIN statement_payments p ON p.statement_id = s.id AND p.number = $2
      WHERE s.id = $1`,
    [document.statementId, document.paymentNumber, document.id],
  );
  if (settling === undefined) throw new Error('The statement is not there');
  return settling;
}

/** The hour of a transfer is not known: noon stands for it (SAT, Guía de llenado: FechaPago). */
function noonOf(day: string, timeZone: string): Date {
  return readDate('paidOn', `${day}T12:00:00`, timeZone);
}

async function cancelDocument(
  { db, log }: Context,
  provider: InvoiceProvider,
  { id: documentId, providerDocumentId }: ClaimedDocument,
): Promise<void> {
  const requested = { documentId, cancellation: 'requested' } as const;
  try {
    await provider.cancel(providerDocumentId ?? '', 'invoice', { motive: WRONG });
  } catch (error) {
    if (!(error instanceof CancellationRefused || error instanceof InvoiceRefused)) throw error;
    await db.manager.update(TaxDocumentRow, requested, {
      cancellation: 'rejected',
      lastError: error.message,
    });
    countInvoiceTry('not-cancelled');
    log.warn({ documentId, reason: error.message }, 'tax document not cancelled');
    return;
  }
  const cancelled = {
    cancellation: 'accepted',
    providerStatus: CANCELLED,
    lastError: null,
  } as const;
  await db.manager.update(TaxDocumentRow, requested, cancelled);
  countInvoiceTry('cancelled');
}

/** Stores the provider's result in all rows of a document. A pending one is looked up again. */
async function recordOutcome(
  { db }: Context,
  { id, now, attempts }: ClaimedDocument,
  { isPending, id: providerDocumentId, status, uuid }: ProviderInvoice,
  provider: string,
): Promise<void> {
  await query(
    db,
    `UPDATE tax_documents
        SET status = CASE WHEN $2 THEN 'pending' ELSE 'issued' END,
            issued_at = CASE WHEN $2 THEN NULL ELSE now() END,
            provider_document_id = $3, provider_status = $4, uuid = $5, provider = $7, last_error = NULL,
            next_attempt_at = CASE WHEN $2 OR cancellation <> 'requested' THEN $6 ELSE now() END
      WHERE document_id = $1 AND status = 'pending'`,
    [id, isPending, providerDocumentId, status, uuid, nextAttemptAt(now, attempts), provider],
  );
}
