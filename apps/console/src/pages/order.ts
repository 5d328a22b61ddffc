import type { AnswerOf } from '@fiado/ops-client/operations';
import { html, type Html } from '@fiado/chassis/html';
import { idOf, type Visit } from '../http/visit';
import { debtColumns, messageColumns } from './columns';
import { lastDayOf, percentOf, pesosOf, textOf, timeOf } from './formats';
import { table } from './list-page';
import type { Page } from './page';
import { part } from './part';
import { orderStatusName } from './status-words';

type Order = AnswerOf<'showTransaction'>;

/** One order with its products, its debt and its messages. */
export async function showOrder(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const order = await viewer.ops.transactions.show(idOf(visit, 'transactionId'));
  const [debt, messages] = await Promise.all([debtPart(visit, order), messagesPart(visit, order)]);
  const products = say('Productos', 'Products');
  return {
    title: say(`Pedido ${order.incrementalID}`, `Order ${order.incrementalID}`),
    content: html`${facts(visit, order)} ${debt}
      <h2>${products}</h2>
      ${table(
        products,
        [
          [say('Producto', 'Product'), ({ name, externalSKU }) => textOf(name ?? externalSKU)],
          [say('Cantidad', 'Quantity'), ({ quantity }) => textOf(quantity)],
        ],
        order.products,
        say('El mayorista no los dijo.', 'The wholesaler did not list them.'),
      )}
      ${messages}`,
  };
}

function facts({ say }: Visit, order: Order): Html {
  return html`<dl>
    <dt>${say('Estado', 'Status')}</dt>
    <dd><strong>${orderStatusName(order.transactionStatus, say)}</strong></dd>
    <dt>${say('Mayorista', 'Wholesaler')}</dt>
    <dd><a href="/mayoristas/${order.wholesalerId}">${order.wholesaler}</a></dd>
    <dt>${say('Clave del mayorista', 'Their id')}</dt>
    <dd>${textOf(order.wholesalerTransactionId)}</dd>
    <dt>${say('Tienda', 'Store')}</dt>
    <dd><a href="/tiendas/${order.cornerStoreId}">${order.cornerStoreId}</a></dd>
    <dt>${say('Mercancía', 'Goods')}</dt>
    <dd>${pesosOf(order.totalAmount)}</dd>
    <dt>${say('Interés', 'Interest')}</dt>
    <dd>${pesosOf(order.interests)} (${percentOf(order.interestRate)})</dd>
    <dt>IVA</dt>
    <dd>${pesosOf(order.IVAAmount)}</dd>
    <dt>${say('Total', 'Total')}</dt>
    <dd>${pesosOf(order.totalAmountWithInterests)}</dd>
    <dt>${say('Creado', 'Created')}</dt>
    <dd>${timeOf(order.createdAt)}</dd>
    <dt>${say('Entregado', 'Delivered')}</dt>
    <dd>${timeOf(order.deliveredAt)}</dd>
    <dt>${say('Se paga a más tardar', 'To be paid by')}</dt>
    <dd>${lastDayOf(order)}</dd>
    <dt>Id</dt>
    <dd>${order.transactionId}</dd>
  </dl>`;
}

function debtPart(visit: Visit, { transactionId }: Order): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Adeudo', 'Debt'),
    list: () => viewer.ops.receivables.list({ transactionId }),
    rowsOf: ({ receivables }) => receivables,
    empty: say('Todavía no hay: nace con la entrega.', 'None yet: it begins with the delivery.'),
    columns: [['idFactura', ({ idFactura }) => idFactura], ...debtColumns(say)],
  });
}

function messagesPart(visit: Visit, { transactionId }: Order): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Mensajes', 'Messages'),
    list: () => viewer.ops.messages.list({ transactionId }),
    rowsOf: ({ messages }) => messages,
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [...messageColumns(say), [say('Enviado', 'Sent'), ({ sentAt }) => timeOf(sentAt)]],
  });
}
