import { IsOptional, IsString, MaxLength, MinLength } from '@fiado/contracts/class-validator';
import { DescribedAs } from '@fiado/contracts/about';
import {
  IsArrayOf,
  IsDateText,
  IsPositiveAmount,
  IsQuantity,
  IsVisible,
} from '@fiado/contracts/decorators';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { centsOf } from '@fiado/contracts/money';
import { endOfDateOrMoment, readDate } from '@fiado/contracts/request-dates';
import { productLine, transactionFields } from './order-view';
import type { Order } from './order.rules';

/** Lines of one order; the spec names no limit. */
const MAX_PRODUCTS = 500;

@DescribedAs(productLine.properties)
class ProductLineBody {
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  externalSKU: string;

  @IsString()
  @MinLength(1)
  @MaxLength(200)
  name: string;

  @IsQuantity()
  quantity: number;
}

/** The fields that a single order, an order behind a link and a batch item have in common. */
@DescribedAs(transactionFields)
export class OrderBody {
  @IsPositiveAmount()
  totalAmount: number;

  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  @IsVisible()
  wholesalerTransactionId?: string;

  @IsOptional()
  @IsDateText()
  deliveryDate?: string;

  @IsArrayOf(() => ProductLineBody, { min: 1, max: MAX_PRODUCTS })
  products: ProductLineBody[];
}

/** Without a `deliveryDate`: a fixed one would soon be in the past, which is refused. */
export const exampleOrder = {
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  totalAmount: 500,
  wholesalerTransactionId: 'PED-4711',
  products: [{ externalSKU: 'REF-600', name: 'Refresco 600 ml', quantity: 24 }],
  metadata: { route: 'norte-3' },
};

/**
 * The order that a body describes.
 * @param path of the body in its request, for the texts of errors: '' or 'transactions.0.'
 * @throws ValidationError for a deliveryDate that is no date, or that no calendar has
 */
export function orderOf(
  body: OrderBody & { metadata?: object },
  timeZone: string,
  path = '',
): Omit<Order, 'cornerStoreId'> {
  return {
    amountCents: centsOf(body.totalAmount),
    wholesalerTransactionId: body.wholesalerTransactionId,
    deliveryDate: readDate(`${path}deliveryDate`, body.deliveryDate, timeZone, endOfDateOrMoment),
    products: body.products,
    metadata: body.metadata,
  };
}
