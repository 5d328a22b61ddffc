import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { disputesOfOrder } from '../disputes/dispute';
import { buttonForm } from '../frame/form';
import { agoOf, inFours, lastDayOf, link, percentOf, timeOf } from '../frame/formats';
import { factCard, part, sumCard } from '../frame/parts';
import { storeLink, storeNames } from '../frame/names';
import { sendFile } from '../frame/send-file';
import { forRole, recordPage } from '../frame/record';
import { change, type Route } from '../frame/serve';
import type { Visit } from '../frame/visit';
import { say, stateBadge, stateName } from '../frame/words';
import { messagesOfOrder } from '../messages/messages';
import { debtColumns, writeOffPart } from './debts';
import { creditNotesPart } from './credit-notes';
import { fileAsked, invoiceCard, taxDocumentsPart } from './invoice';
import { orderListRoutes } from './order-list';
import { productsPart } from './products';

/** One order: how far it is, its products, its debt and its messages. */
const order = recordPage('/pedidos/:transactionId', {
  load: (id, { viewer }) => viewer.ops.transactions.show(id),
  path: () => ['/pedidos', say('Pedidos', 'Orders')],
  title: ({ incrementalID: number }) => say(`Pedido ${number}`, `Order ${number}`),
  badge: ({ transactionStatus }) => stateBadge('order', transactionStatus),
  lead: storeAndWholesaler,
  actions: forRole('operator', resendButton),
  above: [steps, codeNotice],
  parts: [
    productsPart,
    creditNotesPart,
    taxDocumentsPart,
    debtPart,
    disputesOfOrder,
    messagesOfOrder,
  ],
  side: [sums, facts, invoiceCard],
});

export const orderRoutes: Route[] = [
  ...orderListRoutes,
  order,
  change(order, 'clave', 'reenviado', 'resendOrderCode'),
  // It ends the lock of an order after wrong words, too.
  change(order, 'palabra', 'reenviado', 'resetDeliveryWord'),
  change(order, 'adeudos/:receivableId/castigo', 'guardado', 'writeOffReceivable'),
  change(order, 'disputa', 'guardado', 'openDispute'),
  change(order, 'factura', 'guardado', 'cancelTransactionInvoice'),
  ...(['xml', 'pdf'] as const).map((format) =>
    sendFile(`/pedidos/:transactionId/factura.${format}`, {
      type: format,
      notFound: 'INVOICE_FILE_NOT_FOUND',
      from: (id, visit) => `/v1/admin/transactions/${id}/invoice/file?${fileAsked(visit, format)}`,
    }),
  ),
  change(order, 'notas', 'guardado', 'giveCreditNote'),
];

type Order = AnswerOf<'showTransaction'>;

async function storeAndWholesaler(order: Order, visit: Visit): Promise<Html> {
  const names = await storeNames(visit, [order]);
  return html`${storeLink(names, order.cornerStoreId, say('Una tienda', 'A store'))}
  ${say('compró a', 'bought from')} ${link(`/mayoristas/${order.wholesalerId}`, order.wholesaler)}`;
}

/** How far an order is: ordered, confirmed, delivered, paid. */
function steps(order: Order): Html {
  const { transactionStatus: status, createdAt, deliveredAt } = order;
  const isOver = status === 'cancelled' || status === 'expired';
  const isPaid = status === 'paid';
  const isDelivered = deliveredAt !== null;
  const isConfirmed = isDelivered || isPaid || status === 'on-hold';
  const lastDay = lastDayOf(order);
  const unconfirmed = isOver
    ? stateName('order', status)
    : say('espera su clave', 'awaits its code');
  const notes: Array<[name: string, reached: boolean, note: string]> = [
    [say('Pedido', 'Ordered'), true, timeOf(createdAt)],
    [say('Confirmado', 'Confirmed'), isConfirmed, isConfirmed ? '' : unconfirmed],
    [
      say('Entregado', 'Delivered'),
      isDelivered,
      isDelivered ? timeOf(deliveredAt) : isConfirmed ? say('por entregar', 'to be delivered') : '',
    ],
    [
      say('Pagado', 'Paid'),
      isPaid,
      isPaid || !isDelivered ? '' : say(`vence el ${lastDay}`, `due by ${lastDay}`),
    ],
  ];
  return html`<section class="card" aria-label="${say('Avance', 'Progress')}">
    <ol class="steps">
      ${notes.map(
        ([name, reached, note]) =>
          html`<li ${reached && html`class="reached"`}>
            <strong>${name}</strong><small class="quiet">${note}</small>
          </li>`,
      )}
    </ol>
  </section>`;
}

/** What is known about the code and the word, where they keep an order from going on. */
function codeNotice({ verification, deliveryWord }: Order): HtmlValue {
  if (deliveryWord?.isLocked === true) {
    return html`<p class="notice">
      ${say('La palabra de entrega está bloqueada por demasiados intentos. Mándala otra vez para que se pueda entregar.', 'Too many wrong words locked the delivery. Send the word again to unlock it.')}
    </p>`;
  }
  if (verification?.status !== 'pending') return undefined;
  const { sends, checksLeft, expiresAt } = verification;
  // A time ends with a point of its own, as in 2:40 p.m.
  const until = timeOf(expiresAt);
  const es = `Espera la clave del pedido, que caduca ${until} Enviada ${sends === 1 ? 'una vez' : `${sends} veces`}, quedan ${checksLeft} intentos.`;
  const en = `Awaits its code, which expires ${until} Sent ${sends === 1 ? 'once' : `${sends} times`}, ${checksLeft} checks left.`;
  return html`<p class="notice">${say(es, en)}</p>`;
}

/** The SMS that the order waits for, sent again: its code, and later its delivery word. */
function resendButton(order: Order, { viewer }: Visit): HtmlValue {
  const { transactionId, transactionStatus: status, verification, deliveryWord } = order;
  const path = `/pedidos/${transactionId}`;
  if (status === 'pending-verification' && verification !== null) {
    return buttonForm(viewer, `${path}/clave`, say('Reenviar clave', 'Send the code again'));
  }
  if (status !== 'on-hold' || deliveryWord === null) return undefined;
  return buttonForm(viewer, `${path}/palabra`, say('Reenviar palabra', 'Send the word again'));
}

function sums(order: Order): Html {
  const { orderedAmount: ordered, totalAmount } = order;
  const rate = percentOf(order.interestRate);
  return sumCard(say('Total', 'Total'), [
    ordered !== null && ordered !== totalAmount && [say('Pidió', 'Ordered'), ordered],
    [say('Mercancía', 'Goods'), totalAmount],
    [say(`Interés (${rate})`, `Interest (${rate})`), order.interests],
    [say('IVA del interés', 'VAT of the interest'), order.IVAAmount],
    [say('Total', 'Total'), order.totalAmountWithInterests, 'all'],
  ]);
}

function facts(order: Order): Html {
  const { wholesalerTransactionId: theirs, deliveredAt, paymentDate } = order;
  const due = deliveredAt === null ? '' : agoOf(paymentDate, say('es-MX', 'en'));
  return factCard(say('Datos', 'Facts'), [
    [say('Clave del mayorista', 'Their id'), theirs, 'copied'],
    [say('Vence', 'To be paid by'), html`${lastDayOf(order)} <span class="quiet">${due}</span>`],
    [
      say('Número', 'Number'),
      say(
        `${order.incrementalID} (la numeración tiene huecos: no falta ningún pedido)`,
        `${order.incrementalID} (numbers have gaps: no order is missing)`,
      ),
    ],
    [say('Hecho', 'Made'), timeOf(order.createdAt)],
    deliveredAt !== null && [
      say('Entregado', 'Delivered'),
      html`${timeOf(deliveredAt)} <span class="quiet">${proofName(order.deliveryProof)}</span>`,
    ],
    deliveredAt !== null && [
      say('Liquidación', 'Statement'),
      order.statement == null
        ? say('Todavía en ninguna', 'In none yet')
        : link(
            `/liquidaciones/${order.statement.statementId}`,
            say(`Número ${order.statement.number}`, `Number ${order.statement.number}`),
          ),
    ],
    [say('Id del pedido', 'Id of the order'), order.transactionId, 'id'],
  ]);
}

/** What shows that the store got its goods; unknown for a delivery of 1.0.0. */
function proofName(proof: Order['deliveryProof']): string {
  if (proof === 'word') return say('con su palabra', 'with its word');
  if (proof !== 'none') return '';
  return say('sin palabra: solo lo dice el mayorista', 'no word: only the wholesaler says so');
}

/** The debt of an order, with what can be done about it. */
function debtPart({ transactionId }: Order, visit: Visit): Promise<Html> {
  return part(visit, {
    of: 'listReceivables',
    asked: { transactionId },
    title: say('Adeudo', 'Debt'),
    columns: [
      [say('Factura', 'Invoice'), ({ idFactura }) => inFours(idFactura), 'name'],
      ...debtColumns(),
    ],
    empty: say('Todavía no hay: nace con la entrega.', 'None yet: it begins with the delivery.'),
    below: ([debt]) => debt && writeOffPart(visit, debt),
  });
}
