import type { TransactionStatus } from './transaction-status';

/** A product of an invoice as the wholesaler sends it (spec e14); amounts in pesos. */
export interface InvoicedProduct {
  product: {
    description: string;
    /** Total price for the product. */
    price: number;
    productKey: string;
    sku: string;
    taxes: Array<{ rate: number; type: string }>;
    unitKey: string;
  };
  quantity: number;
}

const INVOICEABLE: TransactionStatus[] = ['on-hold', 'delivery', 'in-payment-default', 'paid'];

/** An order can be invoiced once it is confirmed, and not when it was given up. */
export function isInvoiceable(status: TransactionStatus): boolean {
  return INVOICEABLE.includes(status);
}

/**
 * Splits a discount over prices in their proportion; the parts sum up to it to the cent.
 * @param pricesCents integer cents, their sum above 0
 */
export function splitDiscount(discountCents: number, pricesCents: number[]): number[] {
  const total = pricesCents.reduce((sum, price) => sum + BigInt(price), 0n);
  let priced = 0n;
  let given = 0n;
  return pricesCents.map((price) => {
    priced += BigInt(price);
    const upToHere = (BigInt(discountCents) * priced) / total;
    const share = upToHere - given;
    given = upToHere;
    return Number(share);
  });
}
