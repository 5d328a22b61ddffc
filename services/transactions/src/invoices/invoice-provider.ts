import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Facturapi, { type BinaryDownload, type CancellationMotive } from 'facturapi';
import { centsOf } from '@fiado/contracts/money';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import type { TransactionsConfig } from '../config';
import type { InvoiceIssuerRow } from './invoice-issuer.entity';
import { itemsOf } from './invoice-amounts.rules';
import {
  type Billed,
  type CancelMotive,
  customerOf,
  type DocumentKind,
  type DocumentRequest,
} from './invoice.rules';

/** A provider that issues invoices. */
export interface InvoiceProvider {
  name: string;
  /**
   * Issues it, once for its id.
   * @throws InvoiceRefused when asking again would not help; NotIssuedYet when it may, and the provider has no such
   *   invoice; any other error leaves open whether it has one
   */
  issue(invoice: InvoiceToIssue): Promise<ProviderInvoice>;
  /**
   * Issues another document, once for the id in its request.
   * @throws as issue
   */
  stamp(request: DocumentRequest): Promise<ProviderInvoice>;
  /**
   * Looks up an invoice that the provider was still processing, by the provider's id.
   * @throws InvoiceRefused when it will never be issued; any other error may be temporary
   */
  find(providerInvoiceId: string, kind: DocumentKind): Promise<ProviderInvoice>;
  /**
   * Cancels an issued one. It may be called again.
   * @throws CancellationRefused when the provider or the receiver will not; CancellationUndecided while the receiver has not
   *   answered; any other error may be temporary, too
   */
  cancel(
    providerInvoiceId: string,
    kind: DocumentKind,
    request: CancellationRequest,
  ): Promise<void>;
  /** The file of an issued invoice. @throws Error while there is none */
  file(providerInvoiceId: string, format: 'xml' | 'pdf'): Promise<Buffer>;
}

interface CancellationRequest {
  motive: CancelMotive;
  /** The tax authority's id of the invoice that takes its place, of the motive 01. */
  substitutionUuid?: string | null;
  /** It is asked for again where its receiver did not agree to an earlier request. */
  isAnew?: boolean;
}

/** The document does not say what was sold, or the goods are not sold (c_Motivo). */
export const WRONG = '02';
export const NOT_SOLD = '03';

interface InvoiceToIssue extends Billed {
  /** Our id, used as the idempotency key: the provider issues one invoice for it. */
  invoiceId: string;
  transactionId: string;
  kind: DocumentKind;
  /** In whose name an invoice is. */
  receiver: TaxProfile | undefined;
}

/** An invoice as its provider has it. */
export interface ProviderInvoice {
  /** The provider's own id. */
  id: string;
  /** Whether the provider is still processing it; look it up again later. */
  isPending: boolean;
  /** The provider's name of its state. */
  status: string;
  /** The total that the provider bills, taxes included. Null if it does not state one. */
  totalCents: number | null;
  /** The tax authority's id, once there is one. */
  uuid: string | null;
  /** Where the customer turns a receipt into an invoice of its own. */
  selfInvoiceUrl: string | null;
}

/** The provider's final refusal, with its reason. */
export class InvoiceRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'InvoiceRefused';
  }
}

/** The provider has no such invoice, and may issue it later. */
export class NotIssuedYet extends Error {
  /** @param retryAfterSeconds how long the provider asks to wait, in seconds */
  constructor(
    reason: string,
    readonly retryAfterSeconds = 0,
  ) {
    super(reason);
  }
}

/** How long the provider asks to wait before the next attempt, in seconds; 0 if it does not. */
export function retryAfterOf(error: unknown): number {
  return error instanceof NotIssuedYet ? error.retryAfterSeconds : 0;
}

/** The provider will not cancel an invoice, with its reason. */
export class CancellationRefused extends Error {
  /** @param status the provider's name of the state in which the invoice stays */
  constructor(
    reason: string,
    readonly status: string,
  ) {
    super(reason);
  }
}

/** The tax authority checks a cancellation, or its receiver has not answered yet. */
export class CancellationUndecided extends Error {
  /** @param status the provider's name of the state of the cancellation */
  constructor(readonly status: string) {
    super(`The cancellation is ${status}`);
  }
}

/** Whether a provider's state of an invoice says that its cancellation is asked for and not decided. */
export function isUndecided(providerStatus: string | null): boolean {
  return UNDECIDED.has(providerStatus ?? '');
}

/** The provider that the settings name, for wholesalers without an issuer of their own; undefined: nobody issues invoices. */
export function invoiceProviderOf(config: TransactionsConfig): InvoiceProvider | undefined {
  const { FIADO_MODE, FACTURAPI_KEY, FACTURAPI_BASE_URL } = config;
  const isProduction = FIADO_MODE === 'production';
  switch (config.INVOICE_PROVIDER ?? (isProduction ? 'none' : 'local')) {
    case 'none':
      return undefined;
    case 'local':
      return localInvoiceProvider;
    case 'facturapi':
      return facturapiInvoiceProvider(FACTURAPI_KEY ?? '', FACTURAPI_BASE_URL);
  }
}

/** Who issues the lender's own documents. A sandbox without a key simulates them; undefined: nobody. */
export function lenderProviderOf(config: TransactionsConfig): InvoiceProvider | undefined {
  const { FIADO_MODE, FACTURAPI_KEY, FACTURAPI_BASE_URL } = config;
  if (FACTURAPI_KEY) return facturapiInvoiceProvider(FACTURAPI_KEY, FACTURAPI_BASE_URL);
  return FIADO_MODE === 'production' ? undefined : localInvoiceProvider;
}

/** The name of the provider of sandboxes. */
export const SIMULATED = 'local';

/** Calls no provider: the stored record simulates an invoice. For sandboxes. */
export const localInvoiceProvider: InvoiceProvider = {
  name: SIMULATED,
  issue: ({ invoiceId }) => Promise.resolve(storedAs(`local-${invoiceId}`)),
  stamp: ({ idempotency_key: id }) => Promise.resolve(storedAs(`local-${id}`)),
  find: (id) => Promise.resolve(storedAs(id)),
  cancel: () => Promise.resolve(),
  file: () => Promise.reject(new Error('A simulated invoice has no file')),
};

function storedAs(id: string): ProviderInvoice {
  return {
    id,
    isPending: false,
    status: 'stored',
    totalCents: null,
    uuid: null,
    selfInvoiceUrl: null,
  };
}

/** The SDK has no time-out of its own. */
const TIMEOUT_MS = 15_000;

/** Characters that are kept of a refusal: a sentence or two, in case a page echoes the request. */
const MAX_REASON_LENGTH = 500;

/** What an issuer sets of its documents. */
type IssuerChoices = Pick<InvoiceIssuerRow, 'receiptPaymentForm' | 'series'>;

/** Receipts under the key of the settings are paid by transfer. */
const SHARED: IssuerChoices = { receiptPaymentForm: '03', series: null };

/**
 * Client errors that may be temporary: our key, our plan or our rights (401, 402, 403), a slow or
 * an early request (408, 425), the same request still running (409), and the rate limit (429).
 */
const HEALING_STATUSES = new Set([401, 402, 403, 408, 409, 425, 429]);

/** Those of them after which Facturapi has certainly issued nothing. */
const NOTHING_ISSUED = new Set([401, 402, 403, 429]);

/** The state in which Facturapi still works on a document, in which it is cancelled, and in which it never issues it. */
const PENDING = 'pending';
export const CANCELLED = 'canceled';

/** Of a cancellation: nobody answered it in time. */
export const EXPIRED = 'expired';

const ENDED = new Set(['failed', CANCELLED]);

/** Of a cancellation: the tax authority checks it, or its receiver has not answered yet. */
const UNDECIDED = new Set(['verifying', 'pending']);

/**
 * Invoices and e-receipts of Facturapi, through its own SDK. An invoice (CFDI of type I) is in the name of a tax profile.
 * A receipt needs no tax data: the store turns it into an invoice on Facturapi's page, or the wholesaler's global
 * invoice takes it in (https://docs.facturapi.io/en/docs/guides/receipts/).
 */
export function facturapiInvoiceProvider(
  apiKey: string,
  baseUrl: string | undefined,
  { receiptPaymentForm, series }: IssuerChoices = SHARED,
): InvoiceProvider {
  const sdk = new Facturapi(apiKey);
  if (baseUrl !== undefined) sdk.BASE_URL = baseUrl;
  const inTime: InTime = (call) => {
    const late = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error('Facturapi did not answer in time');
    });
    const answered = call.catch((error: unknown) => refuse(error, apiKey));
    return Promise.race([answered, late]);
  };
  const retrieve = (id: string, kind: DocumentKind): Promise<object> =>
    inTime<object>(kind === 'invoice' ? sdk.invoices.retrieve(id) : sdk.receipts.retrieve(id));
  const stamp = async (request: Record<string, unknown>): Promise<ProviderInvoice> =>
    providerInvoiceOf(
      await inTime<object>(sdk.invoices.create({ ...request, ...(series !== null && { series }) })),
    );
  return {
    name: 'facturapi',
    issue: async (invoice) => {
      const request = requestOf(invoice, receiptPaymentForm);
      if (invoice.kind === 'invoice') return stamp(request);
      return providerInvoiceOf(await inTime<object>(sdk.receipts.create(request)));
    },
    stamp,
    find: async (id, kind) => providerInvoiceOf(await retrieve(id, kind)),
    cancel: async (id, kind, request) => {
      const { refusal, document } =
        kind === 'invoice'
          ? await cancelInvoice(sdk, inTime, id, request)
          : await cancelReceipt(sdk, inTime, id);
      const state = stateOf(document);
      if (state === CANCELLED) return;
      const cancellation = cancellationOf(document);
      if (isUndecided(cancellation)) throw new CancellationUndecided(cancellation);
      throw new CancellationRefused(refusal, cancellation === 'none' ? state : cancellation);
    },
    file: (id, format) => {
      const { invoices } = sdk;
      const call = format === 'xml' ? invoices.downloadXml(id) : invoices.downloadPdf(id);
      return inTime(call.then(bytesOf));
    },
  };
}

/** Waits for a call, and no longer than its time-out. @throws as refuse does */
type InTime = <Answer>(call: Promise<Answer>) => Promise<Answer>;

/** An attempt to cancel: the document afterwards, and why it stays if it does. */
interface Attempted {
  document: object;
  refusal: string;
}

/** Asks for it once: its receiver may have to agree, and another request is refused meanwhile. */
async function cancelInvoice(
  { invoices }: Facturapi,
  inTime: InTime,
  id: string,
  { motive, substitutionUuid, isAnew = false }: CancellationRequest,
): Promise<Attempted> {
  const found = await inTime<object>(invoices.retrieve(id));
  const cancellation = cancellationOf(found);
  const isKnown =
    stateOf(found) === CANCELLED || (isAnew ? isUndecided(cancellation) : cancellation !== 'none');
  const options = {
    motive: motive as CancellationMotive,
    ...(substitutionUuid && { substitution: substitutionUuid }),
  };
  const document = isKnown ? found : await inTime<object>(invoices.cancel(id, options));
  return { refusal: `The cancellation is ${cancellationOf(document)}`, document };
}

/** Facturapi cancels an open one only, and not twice. */
async function cancelReceipt(
  { receipts }: Facturapi,
  inTime: InTime,
  id: string,
): Promise<Attempted> {
  try {
    const document = await inTime<object>(receipts.cancel(id));
    return { refusal: 'Facturapi did not cancel it', document };
  } catch (error) {
    if (!(error instanceof InvoiceRefused)) throw error;
    return { refusal: error.message, document: await inTime<object>(receipts.retrieve(id)) };
  }
}

/** The SDK answers a stream in Node.js. */
async function bytesOf(downloaded: BinaryDownload): Promise<Buffer> {
  if (downloaded instanceof Blob) return Buffer.from(await downloaded.arrayBuffer());
  return buffer(downloaded as Readable);
}

function cancellationOf(document: object): string {
  const { cancellation_status: status } = document as Record<string, unknown>;
  return typeof status === 'string' ? status : 'none';
}

function requestOf(
  { invoiceId, transactionId, receiver, ...billed }: InvoiceToIssue,
  paymentForm: string,
): Record<string, unknown> {
  const items = itemsOf(billed);
  if (items === undefined) throw new InvoiceRefused('Taxes by quota exceed the price of a line');
  return {
    ...(receiver === undefined ? { payment_form: paymentForm } : inTheNameOf(receiver)),
    idempotency_key: invoiceId,
    external_id: transactionId,
    items,
  };
}

/** The order is bought on credit, and its invoice is paid later (PPD): with what is to be defined (99). */
function inTheNameOf(receiver: TaxProfile): object {
  return {
    type: 'I',
    payment_method: 'PPD',
    payment_form: '99',
    use: receiver.cfdiUse,
    customer: customerOf(receiver),
  };
}

/**
 * @throws InvoiceRefused if Facturapi will not issue the document; Error for an unexpected answer
 */
function providerInvoiceOf(answer: object): ProviderInvoice {
  const { id, total, uuid, self_invoice_url: url } = answer as Record<string, unknown>;
  if (typeof id !== 'string') throw new Error('Facturapi answered without an id');
  const state = stateOf(answer);
  if (ENDED.has(state)) throw new InvoiceRefused(`Facturapi ended it as ${state}`);
  return {
    id,
    isPending: state === PENDING,
    status: state,
    totalCents: typeof total === 'number' ? centsOf(total) : null,
    uuid: typeof uuid === 'string' ? uuid : null,
    selfInvoiceUrl: typeof url === 'string' ? url : null,
  };
}

function stateOf(document: object): string {
  const { status } = document as Record<string, unknown>;
  return typeof status === 'string' ? status : 'open';
}

/**
 * A client error is final, unless it may be temporary, and carries Facturapi's reason. Of any other
 * error only the status is passed on: it may contain what we sent, our key included.
 */
function refuse(error: unknown, apiKey: string): never {
  const { status, message, code, headers } = Object(error) as {
    status?: number;
    message?: string;
    code?: string;
    headers?: Record<string, string>;
  };
  const isFinal =
    status !== undefined && status >= 400 && status < 500 && !HEALING_STATUSES.has(status);
  if (isFinal) {
    const reason = (message ?? 'refused').replaceAll(apiKey, '[key]');
    throw new InvoiceRefused(reason.slice(0, MAX_REASON_LENGTH));
  }
  const failure = `Facturapi failed (${status ?? code ?? 'no answer'})`;
  if (!NOTHING_ISSUED.has(status ?? 0)) throw new Error(failure);
  throw new NotIssuedYet(failure, Number(headers?.['retry-after']) || 0);
}
