import { html, type Html } from '@fiado/chassis/html';
import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import { lastDayOf, percentOf, pesosOf, textOf, timeOf } from '../frame/formats';
import { factList, filterLinks, listPage, part, table, type Column } from '../frame/lists';
import { show, type Route } from '../frame/serve';
import { idOf, queryOf, type Page, type Visit } from '../frame/visit';
import { orderStatusName, type Say } from '../frame/words';
import { messageColumns } from '../messages/messages';
import { debtColumns } from './collection';

export const orderRoutes: Route[] = [
  show('/pedidos', showOrders),
  show('/pedidos/:transactionId', showOrder),
];

const STATUSES = [
  'pending-verification',
  'on-hold',
  'delivery',
  'in-payment-default',
  'paid',
  'cancelled',
  'expired',
] as const;

/** Orders of all wholesalers, newest first, by status. */
function showOrders(visit: Visit): Promise<Page> {
  const { say } = visit;
  const asked = queryOf(visit, 'status');
  const status = STATUSES.find((one) => one === asked);
  const query = status === undefined ? '' : `?status=${status}`;
  return listPage(visit, {
    title: say('Pedidos', 'Orders'),
    list: (cursor) => visit.viewer.ops.transactions.list({ status, cursor }),
    rowsOf: ({ transactions }) => transactions,
    before: filterLinks(
      say,
      [
        ['/pedidos', say('todos', 'all')],
        ...STATUSES.map((one) => [`/pedidos?status=${one}`, orderStatusName(one, say)] as const),
      ],
      `/pedidos${query}`,
    ),
    empty: say('No hay pedidos así.', 'There are no such orders.'),
    columns: [
      orderColumn(say),
      [say('Mayorista', 'Wholesaler'), ({ wholesaler }) => wholesaler],
      [say('Clave del mayorista', 'Their id'), (order) => textOf(order.wholesalerTransactionId)],
      [say('Estado', 'Status'), (order) => orderStatusName(order.transactionStatus, say)],
      [say('Total', 'Total'), (order) => pesosOf(order.totalAmountWithInterests)],
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
    ],
  });
}

type Order = AnswerOf<'showTransaction'>;

/** One order with its products, its debt and its messages. */
async function showOrder(visit: Visit): Promise<Page> {
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
  return factList([
    [
      say('Estado', 'Status'),
      html`<strong>${orderStatusName(order.transactionStatus, say)}</strong>`,
    ],
    [
      say('Mayorista', 'Wholesaler'),
      html`<a href="/mayoristas/${order.wholesalerId}">${order.wholesaler}</a>`,
    ],
    [
      say('Número', 'Number'),
      say(
        `${order.incrementalID} (la numeración tiene huecos: no falta ningún pedido)`,
        `${order.incrementalID} (numbers have gaps: no order is missing)`,
      ),
    ],
    [say('Clave del mayorista', 'Their id'), textOf(order.wholesalerTransactionId)],
    [
      say('Tienda', 'Store'),
      html`<a href="/tiendas/${order.cornerStoreId}">${order.cornerStoreId}</a>`,
    ],
    [say('Mercancía', 'Goods'), pesosOf(order.totalAmount)],
    [say('Interés', 'Interest'), `${pesosOf(order.interests)} (${percentOf(order.interestRate)})`],
    ['IVA', pesosOf(order.IVAAmount)],
    [say('Total', 'Total'), pesosOf(order.totalAmountWithInterests)],
    [say('Creado', 'Created'), timeOf(order.createdAt)],
    [say('Entregado', 'Delivered'), timeOf(order.deliveredAt)],
    [say('Se paga a más tardar', 'To be paid by'), lastDayOf(order)],
    ['Id', order.transactionId],
  ]);
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

/** An order's number, which leads to its page. */
export function orderColumn(say: Say): Column<ItemOf<'listOpsTransactions', 'transactions'>> {
  return [
    say('Pedido', 'Order'),
    ({ transactionId, incrementalID }) =>
      html`<a href="/pedidos/${transactionId}">${textOf(incrementalID)}</a>`,
  ];
}
