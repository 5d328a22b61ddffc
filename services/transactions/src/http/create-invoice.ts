import { IsNumber, IsObject, IsString, Length, Max, Min, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import {
  IsArrayOf,
  IsNonNegativeAmount,
  IsPositiveAmount,
  IsQuantity,
} from '@fiado/shared/contracts/decorators';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { centsOf } from '@fiado/shared/money';
import type { Context } from '../context';
import { createInvoice } from '../use-cases/create-invoice';

const MAX_PRODUCTS = 500;
const MAX_TAXES = 10;

export class TaxBody {
  /** A share of 1. */
  @IsNumber({ maxDecimalPlaces: 6 })
  @Min(0)
  @Max(1)
  rate: number;

  @IsString()
  @Length(1, 20)
  type: string;
}

export class InvoicedProductBody {
  @IsString()
  @Length(1, 1000)
  description: string;

  /** Total price for the product. */
  @IsPositiveAmount()
  price: number;

  /** Key in SAT's product-and-service catalog. */
  @IsString()
  @Length(1, 20)
  productKey: string;

  @IsString()
  @Length(1, 100)
  sku: string;

  @IsArrayOf(() => TaxBody, { max: MAX_TAXES })
  taxes: TaxBody[];

  /** Key in SAT's unit catalog. */
  @IsString()
  @Length(1, 20)
  unitKey: string;
}

export class InvoiceLineBody {
  @IsObject()
  @ValidateNested()
  @Type(() => InvoicedProductBody)
  product: InvoicedProductBody;

  @IsQuantity()
  quantity: number;
}

export class InvoiceBody {
  @IsNonNegativeAmount()
  discount: number;

  @IsArrayOf(() => InvoiceLineBody, { min: 1, max: MAX_PRODUCTS })
  products: InvoiceLineBody[];
}

/** Body of e14. */
export class CreateInvoiceBody {
  @IsObject()
  @ValidateNested()
  @Type(() => InvoiceBody)
  invoice: InvoiceBody;
}

/** e14: POST /transaction/{transactionId}/invoice. */
export function handleCreateInvoice(context: Context): RequestHandler {
  return async (req, res) => {
    const { invoice } = validBody(CreateInvoiceBody, req);
    requireDiscountWithin(invoice);
    const command = {
      wholesalerId: callerOf(req).id,
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
      discountCents: centsOf(invoice.discount),
      products: invoice.products,
    };
    await answerOnce(context.db, req, res, {
      status: 201,
      present: () => ({ success: true }),
      work: (keep) => createInvoice(context, command, keep),
    });
  };
}

function requireDiscountWithin({ discount, products }: InvoiceBody): void {
  const total = products.reduce((sum, { product }) => sum + centsOf(product.price), 0);
  if (centsOf(discount) <= total) return;
  throw new ValidationError(['invoice.discount must not exceed the sum of the prices']);
}
