import { Type } from 'class-transformer';
import {
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  ValidateNested,
} from '@fiado/contracts/class-validator';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { query } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About, DescribedAs } from '@fiado/contracts/about';
import {
  IsArrayOf,
  IsNonNegativeAmount,
  IsPositiveAmount,
  IsQuantity,
  Obeys,
} from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { EXAMPLE_INVOICE } from '@fiado/contracts/event-examples';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { creditedCentsOf } from '../credit-notes/credit-note';
import { lockOrder } from '../orders/order.sql';
import {
  exceedsOrder,
  type InvoicedProduct,
  isInvoiceable,
  RECEIVERS,
  TAX_FACTORS,
  type TaxFactor,
  totalCentsOf,
} from './invoice.rules';
import { amountsOf } from './invoice-amounts.rules';
import { SIMULATED } from './invoice-provider';
import { providerOf } from './invoice-issuer';
import { invoiceAnswer, invoicedProduct, invoicedTax } from './view-invoice';
import { InvoiceRow } from './invoice.entity';

const MAX_PRODUCTS = 500;
const MAX_TAXES = 10;

/** Highest share that a tax has: of tobacco it is 1.6. */
const MAX_TAX_SHARE = 2;

/** Highest quota in pesos for each unit: the tax authority has none above 60. */
const MAX_TAX_QUOTA = 100;

/** A share or a quota with at most six decimals. The library's own check of decimals throws for an exponent. */
function isTaxRate(value: unknown, { factor = 'Tasa', type }: TaxBody): string | undefined {
  if (factor === 'Exento') return value === 0 ? undefined : '$property must be 0 with Exento';
  if (factor === 'Cuota' && type !== 'IEPS')
    return '$property may be a Cuota of the type IEPS only';
  const most = factor === 'Cuota' ? MAX_TAX_QUOTA : MAX_TAX_SHARE;
  const isOne =
    typeof value === 'number' && value >= 0 && value <= most && Number(value.toFixed(6)) === value;
  return isOne ? undefined : `$property must be from 0 to ${most} with at most 6 decimals`;
}

@DescribedAs(invoicedTax.properties)
class TaxBody {
  @Obeys(isTaxRate)
  rate: number;

  @IsString()
  @MinLength(1)
  @MaxLength(20)
  type: string;

  @IsOptional()
  @IsIn(TAX_FACTORS)
  factor?: TaxFactor;
}

@DescribedAs(invoicedProduct.properties)
class InvoicedProductBody {
  @IsString()
  @MinLength(1)
  @MaxLength(1000)
  description: string;

  @IsPositiveAmount()
  price: number;

  /** Key in SAT's product-and-service catalog. */
  @IsString()
  @MinLength(1)
  @MaxLength(20)
  productKey: string;

  @IsString()
  @MinLength(1)
  @MaxLength(100)
  sku: string;

  @IsArrayOf(() => TaxBody, { max: MAX_TAXES })
  taxes: TaxBody[];

  /** Key in SAT's unit catalog. */
  @IsString()
  @MinLength(1)
  @MaxLength(20)
  unitKey: string;
}

class InvoiceLineBody {
  @About('The product of the line')
  @IsObject()
  @ValidateNested()
  @Type(() => InvoicedProductBody)
  product: InvoicedProductBody;

  @IsQuantity()
  quantity: number;
}

@DescribedAs(invoiceAnswer.properties)
class InvoiceBody {
  @About(
    'Who it is for. `profile`: the store, by its tax profile; fails without one. `public`: nobody, a receipt. Absent: the ' +
      'store where it has a tax profile, else nobody',
  )
  @IsOptional()
  @IsIn(RECEIVERS)
  receiver?: (typeof RECEIVERS)[number];

  @IsNonNegativeAmount()
  discount: number;

  @IsArrayOf(() => InvoiceLineBody, { min: 1, max: MAX_PRODUCTS })
  products: InvoiceLineBody[];
}

class CreateInvoiceBody {
  @About('What the invoice shows')
  @IsObject()
  @ValidateNested()
  @Type(() => InvoiceBody)
  invoice: InvoiceBody;
}

/** Fields of a TRANSACTION_NOT_INVOICEABLE beyond its code and message. */
const notInvoiceable = t.object(
  'TransactionNotInvoiceable',
  {
    reason: t.field(
      t.oneOf(['no-invoice-issuer']),
      '`no-invoice-issuer`: nobody issues invoices of this wholesaler',
    ),
  },
  ['reason'],
);

export const createInvoiceEndpoint = endpoint({
  id: 'createInvoice',
  as: 'transactions.createInvoice',
  ignoresUnknown: true,
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/invoice',
  scope: 'transactions:write',
  names: { transactionId: 'order' },
  summary: 'Create the invoice of a transaction',
  description:
    'A transaction has one invoice, from `on-hold` on; it is issued ' +
    'a moment later. A new one replaces only one that failed or is cancelled. Where nobody issues invoices it is refused, with the ' +
    '`reason` `no-invoice-issuer`; a sandbox simulates them. `price` is the total of ' +
    'its line, taxes included: `quantity` does not multiply it. The prices less the `discount` must ' +
    'not exceed the amount of the transaction, or the delivered amount less its credit notes after delivery, by ' +
    'more than a cent for each line.',
  body: CreateInvoiceBody,
  bodyExample: { invoice: { discount: 0, products: EXAMPLE_INVOICE.products } },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_NOT_INVOICEABLE',
    'INVOICE_ALREADY_EXISTS',
    'INVOICE_AMOUNT_NOT_ALLOWED',
  ],
  errorFields: { TRANSACTION_NOT_INVOICEABLE: notInvoiceable },
  idempotent: true,
  status: 201,
  answer: t.success,
  input: ({ body: { invoice }, caller, id }) => {
    requireBillable(invoice);
    return {
      wholesalerId: caller.id,
      transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
      discountCents: centsOf(invoice.discount),
      products: invoice.products,
      receiver: invoice.receiver ?? null,
    };
  },
  handle: createInvoice,
  present: () => ({ success: true }),
});

/** @throws ValidationError for lines of which the tax authority takes no invoice */
function requireBillable({ discount, products }: InvoiceBody): void {
  const billed = { discountCents: centsOf(discount), products };
  const totalCents = totalCentsOf(billed);
  if (totalCents < 0) {
    throw new ValidationError(['invoice.discount must not exceed the sum of the prices']);
  }
  const amounts = amountsOf(billed);
  if (amounts === undefined) {
    throw new ValidationError([
      'invoice.products have a price below its taxes of the factor Cuota',
    ]);
  }
  if (amounts.totalCents !== totalCents) {
    throw new ValidationError([
      `invoice.products with their taxes add up to ${amountOf(amounts.totalCents)} by the rules of the tax ` +
        `authority: change a price by a cent, or divide a line`,
    ]);
  }
}

interface CreateInvoice {
  wholesalerId: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
  receiver?: InvoiceRow['receiver'];
}

/** Stores an invoice of an order, which a loop issues. It replaces a failed one, a cancelled one, and a simulated one. */
export async function createInvoice(
  context: Context,
  { wholesalerId, transactionId, discountCents, products, receiver = null }: CreateInvoice,
  answerOf: StoreAnswer<void>,
): Promise<void> {
  const id = newId();
  await answerInTransaction(context, answerOf, async (tx) => {
    const order = await lockOrder(tx, wholesalerId, transactionId);
    if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const issuer = await providerOf(context, tx, wholesalerId);
    if (issuer === undefined) {
      throw new AppError('TRANSACTION_NOT_INVOICEABLE', {
        message: 'Nobody issues invoices of this wholesaler',
        fields: { reason: 'no-invoice-issuer' },
      });
    }
    if (!isInvoiceable(order.status)) throw new AppError('TRANSACTION_NOT_INVOICEABLE');
    const billableCents = order.amountCents - (await creditedCentsOf(tx, transactionId));
    if (exceedsOrder({ discountCents, products }, billableCents)) {
      const fields = { maximumAmount: amountOf(Math.max(billableCents, 0)) };
      throw new AppError('INVOICE_AMOUNT_NOT_ALLOWED', { fields });
    }
    // With a new id, because the provider knows the one before by its id.
    await query(
      tx,
      `DELETE FROM invoices WHERE transaction_id = $1
          AND (status = 'failed' OR cancellation = 'accepted' OR provider = '${SIMULATED}' AND $2 <> '${SIMULATED}')`,
      [transactionId, issuer.provider.name],
    );
    await tx.manager.insert(InvoiceRow, {
      id,
      transactionId,
      wholesalerId,
      discountCents,
      products,
      status: 'pending',
      provider: issuer.provider.name,
      hasOwnIssuer: issuer.isOwn,
      receiver,
    });
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'invoices_transaction')) throw error;
    throw new AppError('INVOICE_ALREADY_EXISTS', { cause: error });
  });
  context.invoiceLoop.wake();
}
