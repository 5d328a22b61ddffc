import { html, NOTHING, type Html, type HtmlValue } from '@fiado/chassis/html';
import { BLOCKED_READ_REASONS, type BlockedReadReason } from '@fiado/contracts/privacy';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { historyPart } from '../audit/history';
import { possibleDeposits } from '../deposits/candidates';
import { choice, foldedForm } from '../frame/form';
import {
  buttonLink,
  copyable,
  copyableFours,
  dayAt,
  dayOf,
  link,
  percentOf,
  phoneOf,
  textOf,
  timeOf,
} from '../frame/formats';
import { card, factCard, part, sumList } from '../frame/parts';
import { storeNameOf } from '../frame/names';
import { act, change, show, type Route } from '../frame/serve';
import { fieldOf, idOf, mayDo, record, type Page, type Visit } from '../frame/visit';
import { say, stateBadge } from '../frame/words';
import { messageColumns } from '../messages/messages';
import { debtColumns, invoiceColumn } from '../orders/debts';
import { orderColumns, orderHref } from '../orders/order-list';
import { creditLine } from './credit-line';
import { documentsPart } from './documents';
import { phoneHold, revealForm, revealPhone } from './phone';
import { pauseForm, pauseNotice } from './pause';
import { payoutsPart } from './payouts';
import { ownerOf, shownStatus, type Store } from './stores';
import { changeTerms, termsForm } from './terms';
import { timelinePart } from './timeline';

const store = show('/tiendas/:cornerStoreId', showStore);

export const storeRoutes: Route[] = [
  store,
  act('/tiendas/:cornerStoreId', changeTerms, showStore),
  change(store, 'aprobar', 'aprobada', 'approveCornerStore'),
  change(store, 'liberar-telefono', 'liberado', 'clearPhoneHold'),
  change(store, 'pausar', 'pausada', 'pauseCornerStore'),
  change(store, 'reanudar', 'guardado', 'resumeCornerStore'),
  act('/tiendas/:cornerStoreId/bloqueada', showBlockedStore, showStore),
  act('/tiendas/:cornerStoreId/telefono', revealPhone, showStore),
  change(store, 'pagos', 'guardado', 'payOut'),
  change(store, 'pagos/:payoutId/devuelto', 'guardado', 'recordReturnedPayout'),
];

type StoreOverview = AnswerOf<'getCornerStoreOverview'>;

/** A store from all sides: its line, debts, orders, messages, documents and what happened to it. */
function showStore(visit: Visit): Promise<Page> {
  return storePage(visit, {});
}

/** The same with the data of a blocked store. The API checks reason and role, and audits the reason. */
function showBlockedStore(visit: Visit): Promise<Page> {
  const asked = fieldOf(visit, 'reason');
  const reason = BLOCKED_READ_REASONS.find((one) => one === asked);
  return storePage(visit, reason === undefined ? {} : { reason });
}

async function storePage(visit: Visit, read: { reason?: BlockedReadReason }): Promise<Page> {
  const { viewer } = visit;
  const overview = await viewer.ops.cornerStores.get(idOf(visit, 'cornerStoreId'), read);
  const { cornerStore } = overview;
  const isBlocked = cornerStore.blockedAt !== null;
  const [waiting, orders, debts, deposits, payouts, messages, documents, timeline, history] =
    await Promise.all([
      pendingNotice(visit, cornerStore.pendingChange),
      ordersPart(visit, cornerStore),
      debtsPart(visit, cornerStore),
      possibleDeposits(visit, cornerStore),
      payoutsPart(visit, cornerStore),
      messagesPart(visit, cornerStore),
      mayDo(viewer, 'operator') && !isBlocked && documentsPart(visit, cornerStore),
      timelinePart(visit, cornerStore.cornerStoreId),
      historyPart(visit, cornerStore.cornerStoreId),
    ]);
  const since = dayOf(dayAt(cornerStore.createdAt));
  const who = cornerStore.cornerStoreName === null ? [] : [ownerOf(cornerStore)];
  const lead = [
    ...who,
    phoneOf(cornerStore.phoneNumber),
    say(`cliente desde el ${since}`, `since ${since}`),
  ].filter((text) => text !== '');
  // The API refuses each change of a store that is blocked or erased.
  const changes = mayDo(viewer, 'approver') && !isBlocked;
  return record({
    path: ['/tiendas', say('Tiendas', 'Stores')],
    title: storeNameOf(cornerStore),
    badge: stateBadge('store', shownStatus(cornerStore)),
    lead: lead.join(' · '),
    actions: changes && [
      validateLink(cornerStore),
      buttonLink('#condiciones', say('Cambiar condiciones', 'Change the terms')),
    ],
    above: [
      waiting,
      blockedNotice(visit, cornerStore),
      !isBlocked && [pauseNotice(visit, cornerStore), phoneHold(visit, overview)],
    ],
    parts: [
      creditLine(overview),
      changes && [approvalForm(visit, cornerStore), termsForm(visit, cornerStore)],
      [debts, deposits, orders, history, timeline, messages, payouts, documents],
    ],
    side: [
      debtFacts(overview),
      facts(overview),
      !isBlocked && [pauseForm(visit, cornerStore), revealForm(visit, cornerStore)],
    ],
  });
}

/** That the owner's data are blocked, and how an approver reads them; or that they are erased. */
function blockedNotice(visit: Visit, { blockedAt, erasedAt, cornerStoreId }: Store): Html {
  const { viewer } = visit;
  if (erasedAt !== null) {
    return card(
      say('Datos suprimidos', 'Erased data'),
      html`<p>
        ${say(
          `Se borraron a petición de su dueño, el ${timeOf(erasedAt)} Quedan montos e ids.`,
          `Erased at its owner’s request, on ${timeOf(erasedAt)} Amounts and ids are left.`,
        )}
      </p>`,
    );
  }
  if (blockedAt === null) return NOTHING;
  const names: Record<BlockedReadReason, string> = {
    'privacy-request': say('Una solicitud sobre sus datos', 'A request about its data'),
    claim: say('Una reclamación', 'A claim'),
    authority: say('Una autoridad lo pide', 'An authority asks'),
    accounting: say('La contabilidad', 'The accounts'),
  };
  return card(say('Datos bloqueados', 'Blocked data'), [
    html`<p>
      ${say(
        `A petición de su dueño, desde el ${timeOf(blockedAt)} Solo se ven iniciales.`,
        `At its owner’s request, since ${timeOf(blockedAt)} Only initials are shown.`,
      )}
    </p>`,
    mayDo(viewer, 'approver') &&
      foldedForm(visit, {
        summary: say('Ver los datos', 'See the data'),
        hint: say('Queda en la auditoría, con el motivo.', 'It is audited, with the reason.'),
        action: `/tiendas/${cornerStoreId}/bloqueada`,
        fields: [choice(say('Para qué', 'What for'), BLOCKED_READ_REASONS, (one) => names[one])],
      }),
  ]);
}

function debtFacts({ debts }: StoreOverview): Html {
  const title = say('Adeudo', 'Debt');
  if (debts === null) {
    const words = say(
      'Los pagos no responden. Intenta en un momento.',
      'Payments do not answer. Try again in a moment.',
    );
    return card(title, html`<p>${words}</p>`);
  }
  const { payoutsReserved: reserved, recoveryDue, oldestDueAt } = debts;
  return card(
    title,
    sumList([
      [say('Debe', 'Due'), debts.amountDue, 'all'],
      [say('Con atraso', 'Overdue'), debts.overdueAmount],
      [say('Saldo a favor', 'Credit balance'), debts.creditBalance],
      reserved !== 0 && [say('Apartado para pagos', 'Reserved for payouts'), reserved],
      recoveryDue !== 0 && [say('Por recuperar', 'To recover'), recoveryDue],
      [
        say('Siguiente pago', 'Next payment'),
        oldestDueAt === null
          ? '—'
          : dayOf(dayAt(new Date(Date.parse(oldestDueAt) - 1).toISOString())),
      ],
    ]),
  );
}

function facts({ cornerStore, wholesalers, debts }: StoreOverview): Html {
  const customers = cornerStore.customers.map(({ wholesalerId, externalId }) => {
    const known = wholesalers.find((one) => one.wholesalerId === wholesalerId);
    return html`<li>
      ${link(`/mayoristas/${wholesalerId}`, known?.name ?? say('un mayorista', 'a wholesaler'))}
      <span class="quiet">${say('clave', 'id')} ${externalId}</span>
    </li>`;
  });
  const { approvalReason, rejectionReason, information } = cornerStore;
  const reference = debts?.numeroReferencia ?? null;
  return factCard(say('Datos', 'Facts'), [
    [say('Referencia de pago', 'Payment reference'), reference && copyableFours(reference)],
    [say('Tasa', 'Rate'), percentOf(cornerStore.interestRate)],
    [
      say('Cliente de', 'Customer of'),
      html`<ul class="plain">
        ${customers}
      </ul>`,
    ],
    information !== null && [say('Dirección', 'Address'), textOf(information.cornerStoreAddress)],
    [say('Alta', 'Created'), timeOf(cornerStore.createdAt)],
    [say('Motivo de la aprobación', 'Reason of the approval'), approvalReason],
    [say('Motivo del rechazo', 'Reason of the rejection'), rejectionReason],
    [
      say('Sus datos', 'Their data'),
      link(
        `/privacidad?status=todas&userId=${cornerStore.userId}&tienda=${cornerStore.cornerStoreId}#registrar`,
        say('Ver o registrar solicitudes', 'See or record requests'),
      ),
    ],
    [say('Id de la tienda', 'Id of the store'), copyable(cornerStore.cornerStoreId)],
  ]);
}

/** The newest codes of a store's account. Messages about orders are in its timeline. */
function messagesPart(visit: Visit, { userId }: Store): Promise<Html> {
  return part(visit, {
    of: 'searchMessages',
    asked: { userId },
    title: say('Mensajes de la cuenta', 'Messages of the account'),
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [...messageColumns(), [say('Creado', 'Created'), 'createdAt', 'when']],
  });
}

/** The newest orders of a store. */
function ordersPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  return part(visit, {
    of: 'listOpsTransactions',
    asked: { cornerStoreId, limit: 10 },
    title: say('Pedidos', 'Orders'),
    empty: say('No tiene pedidos.', 'It has no orders.'),
    more: link(`/pedidos?tienda=${cornerStoreId}`, say('Ver todos', 'See all')),
    href: orderHref,
    columns: [
      ...orderColumns(),
      [say('Estado', 'Status'), 'transactionStatus', 'order'],
      [say('Mayorista', 'Wholesaler'), 'wholesaler'],
      [say('Total', 'Total'), 'totalAmountWithInterests', 'money'],
    ],
  });
}

/** The newest debts of a store. */
function debtsPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  return part(visit, {
    of: 'listReceivables',
    asked: { cornerStoreId, limit: 10 },
    title: say('Adeudos', 'Debts'),
    empty: say('No tiene adeudos.', 'It has no debts.'),
    columns: [invoiceColumn(), ...debtColumns()],
  });
}

function validateLink({ status, paused, cornerStoreId }: Store): HtmlValue {
  if (status !== 'in-manual-validation' || paused != null) return undefined;
  return html`<a class="button" href="/validacion?tienda=${cornerStoreId}"
    >${say('Validar', 'Validate')}</a
  >`;
}

/** A store that has not finished its onboarding may be approved, with a reason. */
function approvalForm(visit: Visit, { status, cornerStoreId }: Store): Html {
  if (status !== 'pre-approved') return NOTHING;
  return foldedForm(visit, {
    summary: say('Aprobar la tienda', 'Approve the store'),
    hint: say(
      'No ha terminado su registro: escribe por qué la apruebas. Desde entonces puede comprar a crédito.',
      'Its onboarding is not finished: write why you approve it. It can then buy on credit.',
    ),
    action: `/tiendas/${cornerStoreId}/aprobar`,
  });
}
