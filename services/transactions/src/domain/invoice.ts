import { centsOf } from '@fiado/contracts/money';
import type { TransactionStatus } from './transaction-status';

/** A product of an invoice as the wholesaler sends it (createInvoice); amounts in pesos. */
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

/** A wholesaler may round each line of an invoice; integer cents. */
const ROUNDING_CENTS_PER_LINE = 1;

const INVOICEABLE: TransactionStatus[] = ['on-hold', 'delivery', 'in-payment-default', 'paid'];

/** An order can be invoiced once it is confirmed, unless it was cancelled or has expired. */
export function isInvoiceable(status: TransactionStatus): boolean {
  return INVOICEABLE.includes(status);
}

/**
 * Whether an invoice bills more than its transaction. The prices are those of whole lines and
 * include taxes, so they are not multiplied by the quantity.
 * @param amountCents the transaction's amount: the ordered one, then the delivered one
 */
export function exceedsTransaction(
  { discountCents, products }: { discountCents: number; products: InvoicedProduct[] },
  amountCents: number,
): boolean {
  const pricesCents = products.reduce((sum, { product }) => sum + centsOf(product.price), 0);
  const roundingCents = products.length * ROUNDING_CENTS_PER_LINE;
  return pricesCents - discountCents > amountCents + roundingCents;
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
