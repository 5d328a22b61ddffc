import { setTimeout as sleep } from 'node:timers/promises';
import Facturapi from 'facturapi';
import type { Logger } from '@fiado/chassis/logger';
import { Loop } from '@fiado/chassis/loop';
import { amountOf, centsOf } from '@fiado/contracts/money';
import type { TransactionsConfig } from '../config';
import { type InvoicedProduct, inProportion, lineOf } from './invoice.rules';

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
   * Looks up an invoice that the provider was still processing, by the provider's id.
   * @throws InvoiceRefused when it will never be issued; any other error may be temporary
   */
  find(providerInvoiceId: string): Promise<ProviderInvoice>;
  /**
   * Cancels an issued one. It may be called again.
   * @throws CancellationRefused when the provider will not; any other error may be temporary
   */
  cancel(providerInvoiceId: string): Promise<void>;
}

interface InvoiceToIssue {
  /** Our id, used as the idempotency key: the provider issues one invoice for it. */
  invoiceId: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
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
export class NotIssuedYet extends Error {}

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

/** The provider that the settings name; undefined: nobody issues invoices. */
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

/** The name of the provider of sandboxes. */
export const SIMULATED = 'local';

/** How often production is warned that nobody issues its invoices. */
const WARN_EVERY_MS = 3_600_000;

/** Where production simulates invoices, a loop that warns at the start and each hour. */
export function simulationLoops({
  config,
  invoiceProvider,
  log,
}: {
  config: Pick<TransactionsConfig, 'FIADO_MODE'>;
  invoiceProvider: InvoiceProvider | undefined;
  log: Logger;
}): Loop[] {
  if (config.FIADO_MODE !== 'production' || invoiceProvider?.name !== SIMULATED) return [];
  const round = async (): Promise<void> =>
    log.warn(
      'INVOICE_PROVIDER=local issues no invoices: the next release refuses it in production',
    );
  return [new Loop(log, { name: 'warn of simulated invoices', everyMs: WARN_EVERY_MS, round })];
}

/** Calls no provider: the stored record simulates an invoice. For sandboxes. */
export const localInvoiceProvider: InvoiceProvider = {
  name: SIMULATED,
  issue: ({ invoiceId }) => Promise.resolve(storedAs(`local-${invoiceId}`)),
  find: (id) => Promise.resolve(storedAs(id)),
  cancel: () => Promise.resolve(),
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

/** SAT's payment form "to be defined": the order is bought on credit. */
const PAYMENT_FORM = '99';

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

const ENDED = new Set(['failed', CANCELLED]);

/**
 * E-receipts of Facturapi, through its own SDK. The API of Fiado carries no tax data of a corner
 * store, and an invoice (CFDI) to the general public would be read as a global invoice. A receipt
 * needs no tax data: the store turns it into an invoice on Facturapi's page, or the wholesaler's
 * global invoice takes it in (https://docs.facturapi.io/en/docs/guides/receipts/).
 */
function facturapiInvoiceProvider(apiKey: string, baseUrl: string | undefined): InvoiceProvider {
  const facturapi = new Facturapi(apiKey);
  if (baseUrl !== undefined) facturapi.BASE_URL = baseUrl;

  const answerOf = async (call: Promise<object>): Promise<Record<string, unknown>> => {
    const late = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error('Facturapi did not answer in time');
    });
    const answered = call.catch((error: unknown) => refuse(error, apiKey));
    return { ...(await Promise.race([answered, late])) };
  };
  return {
    name: 'facturapi',
    issue: async (invoice) =>
      providerInvoiceOf(await answerOf(facturapi.receipts.create(requestOf(invoice)))),
    find: async (id) => providerInvoiceOf(await answerOf(facturapi.receipts.retrieve(id))),
    cancel: async (id) => {
      const { reason, receipt } = await answerOf(facturapi.receipts.cancel(id)).then(
        (answer) => ({ reason: 'Facturapi did not cancel it', receipt: answer }),
        async (error: unknown) => {
          // It cancels an open receipt only, and not twice.
          if (!(error instanceof InvoiceRefused)) throw error;
          const found = await answerOf(facturapi.receipts.retrieve(id));
          return { reason: error.message, receipt: found };
        },
      );
      if (receipt.status !== CANCELLED) throw new CancellationRefused(reason, stateOf(receipt));
    },
  };
}

function requestOf(invoice: InvoiceToIssue): Record<string, unknown> {
  const prices = invoice.products.map(({ product }) => centsOf(product.price));
  const discounts = inProportion(invoice.discountCents, prices);
  return {
    payment_form: PAYMENT_FORM,
    idempotency_key: invoice.invoiceId,
    external_id: invoice.transactionId,
    items: invoice.products.map((invoiced, index) => {
      const { product } = invoiced;
      const { description, quantity, price } = lineOf(invoiced);
      return {
        quantity,
        discount: amountOf(discounts[index] ?? 0),
        product: {
          description,
          product_key: product.productKey,
          unit_key: product.unitKey,
          sku: product.sku,
          price,
          tax_included: true,
          taxes: product.taxes,
        },
      };
    }),
  };
}

/**
 * @throws InvoiceRefused if Facturapi will not issue the document; Error for an unexpected answer
 */
function providerInvoiceOf(answer: Record<string, unknown>): ProviderInvoice {
  const { id, total, uuid, self_invoice_url: url } = answer;
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

function stateOf({ status }: Record<string, unknown>): string {
  return typeof status === 'string' ? status : 'open';
}

/**
 * A client error is final, unless it may be temporary, and carries Facturapi's reason. Of any other
 * error only the status is passed on: it may contain what we sent, our key included.
 */
function refuse(error: unknown, apiKey: string): never {
  const { status, message, code } = Object(error) as {
    status?: number;
    message?: string;
    code?: string;
  };
  const isFinal =
    status !== undefined && status >= 400 && status < 500 && !HEALING_STATUSES.has(status);
  if (isFinal) {
    const reason = (message ?? 'refused').replaceAll(apiKey, '[key]');
    throw new InvoiceRefused(reason.slice(0, MAX_REASON_LENGTH));
  }
  const failure = `Facturapi failed (${status ?? code ?? 'no answer'})`;
  throw NOTHING_ISSUED.has(status ?? 0) ? new NotIssuedYet(failure) : new Error(failure);
}
