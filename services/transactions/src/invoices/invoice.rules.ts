import { amountOf, centsOf } from '@fiado/contracts/money';
import type { TaxProfile } from '@fiado/contracts/tax-profile';
import type { OrderStatus } from '../orders/order.rules';

/** Pause after the first failed try of an invoice; each further one doubles it. */
const FIRST_PAUSE_MS = 30_000;

/** Longest pause: an invoice goes out within an hour of the provider's recovery. */
const LONGEST_PAUSE_MS = 60 * 60_000;

/** An outage of the provider or an expired key is fixed within a long weekend. */
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60_000;

/** How a tax is computed: a share of its base, pesos for each unit, or exempt. */
export const TAX_FACTORS = ['Tasa', 'Cuota', 'Exento'] as const;

export type TaxFactor = (typeof TAX_FACTORS)[number];

export interface InvoicedTax {
  /** A share (Tasa), pesos for each unit (Cuota), or 0 (Exento). */
  rate: number;
  type: string;
  /** Unset: Tasa. */
  factor?: TaxFactor;
}

/** A product of an invoice as the wholesaler sends it (createInvoice); amounts in pesos. */
export interface InvoicedProduct {
  product: {
    description: string;
    /** Of the whole line, taxes included: the quantity does not multiply it. */
    price: number;
    productKey: string;
    sku: string;
    taxes: InvoicedTax[];
    unitKey: string;
  };
  quantity: number;
}

/** Who an invoice may be wanted for: the store by its tax profile, or nobody. */
export const RECEIVERS = ['profile', 'public'] as const;

/** An invoice in somebody's name (CFDI of type I), or a receipt without a receiver. */
export const DOCUMENT_KINDS = ['invoice', 'receipt'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/**
 * Motives of a cancellation (c_Motivo of the tax authority): wrong and replaced by another, wrong, not sold, and named in a
 * global invoice.
 */
export const CANCEL_MOTIVES = ['01', '02', '03', '04'] as const;
export type CancelMotive = (typeof CANCEL_MOTIVES)[number];

/** What an invoice bills: integer cents, and prices of lines in pesos. */
export interface Billed {
  discountCents: number;
  products: InvoicedProduct[];
}

/** A document of another type than I, as Facturapi takes it. */
export interface DocumentRequest extends Record<string, unknown> {
  /** Our id: the provider issues one document for it. */
  idempotency_key: string;
}

/** The receiver of a document. */
export function customerOf({ rfc, legalName, taxRegime, postalCode, email }: TaxProfile): object {
  return {
    tax_id: rfc,
    legal_name: legalName,
    tax_system: taxRegime,
    address: { zip: postalCode },
    ...(email !== undefined && { email }),
  };
}

/** A wholesaler may round each line of an invoice; integer cents. */
const ROUNDING_CENTS_PER_LINE = 1;

export const INVOICEABLE: OrderStatus[] = ['on-hold', 'delivery', 'in-payment-default', 'paid'];

/** An order can be invoiced once it is confirmed, unless it was cancelled or has expired. */
export function isInvoiceable(status: OrderStatus): boolean {
  return INVOICEABLE.includes(status);
}

/** What an invoice bills, in cents. The prices are those of whole lines and include taxes. */
export function totalCentsOf({ discountCents, products }: Billed): number {
  return products.reduce((sum, { product }) => sum + centsOf(product.price), -discountCents);
}

/**
 * Whether an invoice bills more than its transaction.
 * @param billableCents the order's amount: the ordered one, then the delivered one without what was
 *   credited
 */
export function exceedsOrder(billed: Billed, billableCents: number): boolean {
  const roundingCents = billed.products.length * ROUNDING_CENTS_PER_LINE;
  return totalCentsOf(billed) > billableCents + roundingCents;
}

/** Whether an invoice is less than half of its order: its prices may be those of units, and not of lines. */
export function isUnderHalfOfOrder(billed: Billed, billableCents: number): boolean {
  return totalCentsOf(billed) * 2 < billableCents;
}

/**
 * Splits an amount over prices in their proportion; the parts sum up to it to the cent.
 * @param pricesCents integer cents, their sum above 0
 */
export function inProportion(cents: number, pricesCents: number[]): number[] {
  const total = pricesCents.reduce((sum, price) => sum + BigInt(price), 0n);
  let priced = 0n;
  let given = 0n;
  return pricesCents.map((price) => {
    priced += BigInt(price);
    const upToHere = (BigInt(cents) * priced) / total;
    const share = upToHere - given;
    given = upToHere;
    return Number(share);
  });
}

/**
 * Reduces an invoice to a smaller total: its lines and its discount in proportion. Lines that become 0
 * are removed.
 * @param amountCents the new total, above 0 and below the old one
 */
export function shrink({ discountCents, products }: Billed, amountCents: number): Billed {
  const prices = products.map(({ product }) => centsOf(product.price));
  const billedCents = totalCentsOf({ discountCents, products });
  const discount = Number((BigInt(discountCents) * BigInt(amountCents)) / BigInt(billedCents));
  const shrunk = inProportion(amountCents + discount, prices);
  return {
    discountCents: discount,
    products: products.flatMap(({ product, quantity }, at) => {
      const cents = shrunk[at] ?? 0;
      if (cents === 0) return [];
      // A tax by quota grows with the pieces, which came back in proportion.
      const isByQuota = product.taxes.some(({ factor }) => factor === 'Cuota');
      const part = Math.floor((1000 * quantity * cents) / (prices[at] ?? 1)) / 1000;
      return [
        {
          product: { ...product, price: amountOf(cents) },
          quantity: isByQuota ? Math.max(part, 0.001) : quantity,
        },
      ];
    }),
  };
}

/**
 * When an invoice that was not issued is retried.
 * @param attempts tries so far, from 1
 * @param leastSeconds the provider asks to wait so long; an hour at most is taken
 */
export function nextAttemptAt(now: Date, attempts: number, leastSeconds = 0): Date {
  const pauseMs = Math.max(FIRST_PAUSE_MS * 2 ** (attempts - 1), 1000 * leastSeconds);
  return new Date(now.getTime() + Math.min(pauseMs, LONGEST_PAUSE_MS));
}

/** Whether an invoice has failed for so long that it is not tried again. */
export function isGivenUp(now: Date, createdAt: Date): boolean {
  return now.getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS;
}
