import type { Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { textOf } from '../frame/formats';
import { tablePart } from '../frame/parts';
import { say } from '../frame/words';

/** The products of an order, on its page and on that of its dispute. */
export function productsPart({ products }: Pick<AnswerOf<'showTransaction'>, 'products'>): Html {
  return tablePart({
    title: say('Productos', 'Products'),
    columns: [
      [say('Producto', 'Product'), ({ name, externalSKU }) => textOf(name ?? externalSKU), 'name'],
      [say('Clave', 'SKU'), 'externalSKU'],
      [say('Cantidad', 'Quantity'), ({ quantity }) => textOf(quantity), 'figure'],
    ],
    rows: products,
    empty: say('El mayorista no los dijo.', 'The wholesaler did not list them.'),
  });
}
