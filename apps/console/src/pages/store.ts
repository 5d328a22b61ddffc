import type { AnswerOf } from '@fiado/ops-client/operations';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { idOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { percentOf, pesosOf, textOf, timeOf } from './formats';
import type { Page } from './page';
import { nameOf, statusName } from './store-fields';
import { documentsPart, messagesPart } from './store-contacts';
import { debtsPart, ordersPart } from './store-money';
import { termsForm } from './store-terms';
import { phoneHold } from './phone-hold';
import { payoutsPart } from './payouts';
import { timelinePart } from './timeline';
import { pendingNotice } from './waiting';

type StoreOverview = AnswerOf<'getCornerStoreOverview'>;

/** A store from all sides: its line, debts, orders, messages, documents and what happened to it. */
export async function showStore(visit: Visit): Promise<Page> {
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
    <dl>
      <dt>${say('Estado', 'Status')}</dt>
      <dd><strong>${statusName(cornerStore.status, say)}</strong></dd>
      <dt>${say('Límite', 'Limit')}</dt>
      <dd>${pesosOf(cornerStore.creditLimit)}</dd>
      <dt>${say('Usado', 'Used')}</dt>
      <dd>${credit === null ? say('sin respuesta', 'no answer') : pesosOf(credit.used)}</dd>
      <dt>${say('Disponible', 'Available')}</dt>
      <dd>${credit === null ? say('sin respuesta', 'no answer') : pesosOf(credit.available)}</dd>
      <dt>${say('Tasa', 'Rate')}</dt>
      <dd>${percentOf(cornerStore.interestRate)}</dd>
    </dl>
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
    <dl>
      <dt>${say('Debe', 'Due')}</dt>
      <dd>${pesosOf(debts.amountDue)} (${String(debts.openDebts)})</dd>
      <dt>${say('Atrasado', 'Overdue')}</dt>
      <dd>${pesosOf(debts.overdueAmount)} (${String(debts.overdueDebts)})</dd>
      <dt>${say('Vence primero', 'First last day')}</dt>
      <dd>${timeOf(debts.oldestDueAt)}</dd>
      <dt>${say('Saldo a favor', 'Credit balance')}</dt>
      <dd>${pesosOf(debts.creditBalance)}</dd>
      <dt>${say('Apartado para pagos', 'Reserved for payouts')}</dt>
      <dd>${pesosOf(debts.payoutsReserved)}</dd>
      <dt>${say('Por recuperar', 'To recover')}</dt>
      <dd>${pesosOf(debts.recoveryDue)}</dd>
      <dt>${say('Referencia', 'Reference')}</dt>
      <dd>${textOf(debts.numeroReferencia)}</dd>
    </dl>
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
    <dl>
      <dt>${say('Teléfono', 'Phone')}</dt>
      <dd>${cornerStore.phoneNumber}</dd>
      <dt>${say('Alta', 'Created')}</dt>
      <dd>${timeOf(cornerStore.createdAt)}</dd>
      <dt>${say('Motivo de la aprobación', 'Reason of the approval')}</dt>
      <dd>${textOf(cornerStore.approvalReason)}</dd>
      <dt>${say('Motivo del rechazo', 'Reason of the rejection')}</dt>
      <dd>${textOf(cornerStore.rejectionReason)}</dd>
      <dt>${say('Cliente de', 'Customer of')}</dt>
      <dd>
        <ul class="plain">
          ${customers}
        </ul>
      </dd>
      <dt>Id</dt>
      <dd>${cornerStore.cornerStoreId}</dd>
    </dl>
  </section>`;
}
