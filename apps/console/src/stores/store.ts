import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { buttonForm } from '../frame/form';
import { percentOf, pesosOf, textOf, timeOf } from '../frame/formats';
import { factList, part } from '../frame/lists';
import { act, show, type Route } from '../frame/serve';
import { idOf, mayDo, type Page, type Redirect, type Visit } from '../frame/visit';
import { orderStatusName } from '../frame/words';
import { messageColumns } from '../messages/messages';
import { debtColumns } from '../orders/collection';
import { orderColumn } from '../orders/orders';
import { documentsPart } from './documents';
import { payOut, payoutsPart, recordReturnedPayout } from './payouts';
import { nameOf, statusName, type Store } from './stores';
import { changeTerms, termsForm } from './terms';
import { timelinePart } from './timeline';

export const storeRoutes: Route[] = [
  show('/tiendas/:cornerStoreId', showStore),
  act('/tiendas/:cornerStoreId', changeTerms, showStore),
  act('/tiendas/:cornerStoreId/liberar-telefono', clearPhoneHold, showStore),
  act('/tiendas/:cornerStoreId/pagos', payOut, showStore),
  act('/tiendas/:cornerStoreId/pagos/:payoutId/devuelto', recordReturnedPayout, showStore),
];

type StoreOverview = AnswerOf<'getCornerStoreOverview'>;

/** A store from all sides: its line, debts, orders, messages, documents and what happened to it. */
async function showStore(visit: Visit): Promise<Page> {
  const { viewer } = visit;
  const overview = await viewer.ops.cornerStores.get(idOf(visit, 'cornerStoreId'));
  const { cornerStore } = overview;
  const [waiting, orders, debts, payouts, messages, documents, timeline] = await Promise.all([
    pendingNotice(visit, cornerStore.pendingChange),
    ordersPart(visit, cornerStore),
    debtsPart(visit, cornerStore),
    payoutsPart(visit, cornerStore),
    messagesPart(visit, cornerStore),
    mayDo(viewer, 'operator') ? documentsPart(visit, cornerStore) : NOTHING,
    timelinePart(visit, cornerStore.cornerStoreId),
  ]);
  return {
    title: nameOf(cornerStore),
    content: html`${waiting} ${phoneHold(visit, overview)}
      <div class="sides">
        ${line(visit, overview)} ${debtFacts(visit, overview)} ${facts(visit, overview)}
      </div>
      ${mayDo(viewer, 'approver') ? termsForm(visit, cornerStore) : NOTHING}
      <div class="sides">${debts} ${messages}</div>
      ${orders} ${payouts} ${documents} ${timeline}`,
  };
}

function line({ say }: Visit, { cornerStore, credit }: StoreOverview): Html {
  return html`<section>
    <h2>${say('Línea', 'Credit line')}</h2>
    ${factList([
      [say('Estado', 'Status'), html`<strong>${statusName(cornerStore.status, say)}</strong>`],
      [say('Límite', 'Limit'), pesosOf(cornerStore.creditLimit)],
      [
        say('Usado', 'Used'),
        credit === null ? say('sin respuesta', 'no answer') : pesosOf(credit.used),
      ],
      [
        say('Disponible', 'Available'),
        credit === null ? say('sin respuesta', 'no answer') : pesosOf(credit.available),
      ],
      [say('Tasa', 'Rate'), percentOf(cornerStore.interestRate)],
    ])}
  </section>`;
}

function debtFacts({ say }: Visit, { debts }: StoreOverview): Html {
  const title = html`<h2>${say('Adeudo', 'Debt')}</h2>`;
  if (debts === null) {
    return html`<section>
      ${title}
      <p>
        ${say('Los pagos no responden. Intenta en un momento.', 'Payments do not answer. Try again in a moment.')}
      </p>
    </section>`;
  }
  return html`<section>
    ${title}
    ${factList([
      [say('Debe', 'Due'), `${pesosOf(debts.amountDue)} (${String(debts.openDebts)})`],
      [
        say('Atrasado', 'Overdue'),
        `${pesosOf(debts.overdueAmount)} (${String(debts.overdueDebts)})`,
      ],
      [say('Vence primero', 'First last day'), timeOf(debts.oldestDueAt)],
      [say('Saldo a favor', 'Credit balance'), pesosOf(debts.creditBalance)],
      [say('Apartado para pagos', 'Reserved for payouts'), pesosOf(debts.payoutsReserved)],
      [say('Por recuperar', 'To recover'), pesosOf(debts.recoveryDue)],
      [say('Referencia', 'Reference'), textOf(debts.numeroReferencia)],
    ])}
  </section>`;
}

function facts({ say }: Visit, { cornerStore, wholesalers }: StoreOverview): Html {
  const customers = cornerStore.customers.map(({ wholesalerId, externalId }) => {
    const known = wholesalers.find((one) => one.wholesalerId === wholesalerId);
    return html`<li>
      <a href="/mayoristas/${wholesalerId}">${known?.name ?? wholesalerId}</a>: ${externalId}
    </li>`;
  });
  return html`<section>
    <h2>${say('Tienda', 'Store')}</h2>
    ${factList([
      [say('Teléfono', 'Phone'), cornerStore.phoneNumber],
      [say('Alta', 'Created'), timeOf(cornerStore.createdAt)],
      [
        say('Motivo de la aprobación', 'Reason of the approval'),
        textOf(cornerStore.approvalReason),
      ],
      [say('Motivo del rechazo', 'Reason of the rejection'), textOf(cornerStore.rejectionReason)],
      [
        say('Cliente de', 'Customer of'),
        html`<ul class="plain">
          ${customers}
        </ul>`,
      ],
      ['Id', cornerStore.cornerStoreId],
    ])}
  </section>`;
}

/** The newest codes of a store's account. Messages about orders are in its timeline. */
function messagesPart(visit: Visit, { userId }: Store): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Mensajes de la cuenta', 'Messages of the account'),
    list: () => viewer.ops.messages.list({ userId }),
    rowsOf: ({ messages }) => messages,
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [
      ...messageColumns(say),
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
    ],
  });
}

/** The newest orders of a store. */
function ordersPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Pedidos', 'Orders'),
    list: () => viewer.ops.transactions.list({ cornerStoreId }),
    rowsOf: ({ transactions }) => transactions,
    empty: say('No tiene pedidos.', 'It has no orders.'),
    columns: [
      orderColumn(say),
      [say('Mayorista', 'Wholesaler'), ({ wholesaler }) => wholesaler],
      [say('Estado', 'Status'), (order) => orderStatusName(order.transactionStatus, say)],
      [say('Total', 'Total'), (order) => pesosOf(order.totalAmountWithInterests)],
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
    ],
  });
}

/** The newest debts of a store. */
function debtsPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Adeudos', 'Debts'),
    list: () => viewer.ops.receivables.list({ cornerStoreId }),
    rowsOf: ({ receivables }) => receivables,
    empty: say('No tiene adeudos.', 'It has no debts.'),
    columns: [[say('Referencia', 'Reference'), ({ idFactura }) => idFactura], ...debtColumns(say)],
  });
}

/** On a store: which wholesalers changed its phone and wait for that, and the button that ends it. */
function phoneHold(
  { viewer, say }: Visit,
  { cornerStore: { cornerStoreId, customers }, wholesalers }: AnswerOf<'getCornerStoreOverview'>,
): Html {
  const held = customers.filter(({ phoneHeldUntil }) => phoneHeldUntil !== null);
  if (held.length === 0) return NOTHING;
  const lines = held.map(({ wholesalerId, phoneHeldUntil }) => {
    const name = wholesalers.find((one) => one.wholesalerId === wholesalerId)?.name ?? wholesalerId;
    const until = timeOf(phoneHeldUntil);
    return html`<p>
      ${say(`${name} cambió el teléfono: sus pedidos grandes esperan hasta ${until}.`, `${name} changed the phone: its large orders wait until ${until}.`)}
    </p>`;
  });
  return html`<div class="notice">
    ${lines}
    ${
      mayDo(viewer, 'operator')
        ? html`<p>
              ${say('Antes de liberarlo, habla con el dueño a un número que ya tenías.', 'Before you free it, call the owner on a number that you had before.')}
            </p>
            ${buttonForm(viewer, { action: `/tiendas/${cornerStoreId}/liberar-telefono`, label: say('El dueño lo confirmó: liberar', 'The owner confirmed it: free it') })}`
        : NOTHING
    }
  </div>`;
}

/** Ends the hold for all wholesalers of the store. */
async function clearPhoneHold(visit: Visit): Promise<Redirect> {
  const cornerStoreId = idOf(visit, 'cornerStoreId');
  await visit.viewer.ops.cornerStores.clearPhoneHold(cornerStoreId);
  return { redirect: `/tiendas/${cornerStoreId}` };
}
