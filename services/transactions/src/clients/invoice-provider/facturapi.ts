import { setTimeout as sleep } from 'node:timers/promises';
import Facturapi from 'facturapi';
import { amountOf, centsOf } from '@fiado/shared/money';
import { splitDiscount } from '../../domain/invoice';
import { InvoiceRefused, type InvoiceProvider, type InvoiceToIssue } from './invoice-provider';

/** The SDK itself waits for ever. */
const TIMEOUT_MS = 15_000;
/** Of a refusal so many characters are kept: a sentence or two, not a page that echoes all. */
const MAX_REASON_LENGTH = 500;

/** SAT's stand-in for a customer without tax data: the contract carries none (general public). */
const GENERAL_PUBLIC = {
  legal_name: 'PUBLICO EN GENERAL',
  tax_id: 'XAXX010101000',
  tax_system: '616',
};
/** SAT: use without tax effects; to be defined; in instalments or later. It is bought on credit. */
const CFDI = { use: 'S01', payment_form: '99', payment_method: 'PPD' };

export interface FacturapiOptions {
  apiKey: string;
  /** Postal code of the issuer, which SAT wants for the general public too. */
  zip: string;
  /** Another host: a proxy, a stand-in. */
  baseUrl: string | undefined;
}

/** Invoices (CFDI) issued through Facturapi's own SDK. */
export function facturapiInvoiceProvider({
  apiKey,
  zip,
  baseUrl,
}: FacturapiOptions): InvoiceProvider {
  const facturapi = new Facturapi(apiKey);
  if (baseUrl !== undefined) facturapi.BASE_URL = baseUrl;

  return {
    name: 'facturapi',
    issue: async (invoice) => {
      const creating = facturapi.invoices
        .create(requestOf(invoice, zip))
        .catch((error: unknown) => refuse(error, apiKey));
      const late = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new Error('Facturapi did not answer in time');
      });
      const { id } = await Promise.race([creating, late]);
      return { providerInvoiceId: id };
    },
  };
}

function requestOf(invoice: InvoiceToIssue, zip: string): Record<string, unknown> {
  const prices = invoice.products.map(({ product }) => centsOf(product.price));
  const discounts = splitDiscount(invoice.discountCents, prices);
  return {
    ...CFDI,
    customer: { ...GENERAL_PUBLIC, address: { zip } },
    idempotency_key: invoice.invoiceId,
    external_id: invoice.transactionId,
    items: invoice.products.map(({ product, quantity }, index) => ({
      quantity,
      discount: amountOf(discounts[index] ?? 0),
      product: {
        description: product.description,
        product_key: product.productKey,
        unit_key: product.unitKey,
        sku: product.sku,
        // Facturapi wants the price of one; the contract gives the line's.
        price: product.price / quantity,
        tax_included: true,
        taxes: product.taxes,
      },
    })),
  };
}

/**
 * Facturapi's 4xx is final, but for a rate limit, and says why in its own words; what comes without
 * a status may heal. Nothing else of its error goes on: it may tell what we sent, our key included.
 */
function refuse(error: unknown, apiKey: string): never {
  const { status, message, code } = Object(error) as {
    status?: number;
    message?: string;
    code?: string;
  };
  if (status !== undefined && status >= 400 && status < 500 && status !== 429) {
    const said = (message ?? 'refused').replaceAll(apiKey, '[key]');
    throw new InvoiceRefused(said.slice(0, MAX_REASON_LENGTH));
  }
  throw new Error(`Facturapi failed (${status ?? code ?? 'no answer'})`);
}
