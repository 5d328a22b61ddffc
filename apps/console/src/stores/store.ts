import { html, NOTHING, type Html, type HtmlValue } from '@fiado/chassis/html';
import { BLOCKED_READ_REASONS, type BlockedReadReason } from '@fiado/contracts/privacy';
import { pendingNotice } from '../approvals/pending-change';
import { historyPart } from '../audit/history';
import { possibleDeposits } from '../deposits/candidates';
import { choice, foldedForm } from '../frame/form';
import { buttonLink, dayAt, dayOf, link, phoneOf, textOf, timeOf } from '../frame/formats';
import { card, factCard, part, sumCard } from '../frame/parts';
import { storeNameOf } from '../frame/names';
import { type Contents, forRole, type Part, recordPage } from '../frame/record';
import { act, change, type Route } from '../frame/serve';
import { fieldOf, mayDo, type Visit } from '../frame/visit';
import { say, stateBadge } from '../frame/words';
import { messageColumns } from '../messages/messages';
import { debtColumns, invoiceColumn } from '../orders/debts';
import { orderColumns, orderHref } from '../orders/order-list';
import { creditLine } from './credit-line';
import { documentsPart } from './documents';
import { phoneHold, revealForm, revealPhone } from './phone';
import { pauseForm, pauseNotice } from './pause';
import { payoutsPart } from './payouts';
import { ownerOf, shownStatus, type Store, type StoreOverview } from './stores';
import { changeTerms, termsForm } from './terms';
import { timelinePart } from './timeline';

/** A store from all sides: its line, debts, orders, messages, documents and what happened to it. */
const contents: Contents<StoreOverview> = {
  path: () => ['/tiendas', say('Tiendas', 'Stores')],
  title: storeNameOf,
  badge: (store) => stateBadge('store', shownStatus(store)),
  lead: ownerAndPhone,
  actions: forApprovers((store) => [
    validateLink(store),
    buttonLink('#condiciones', say('Cambiar condiciones', 'Change the terms')),
  ]),
  above: [pendingNotice, blockedNotice, unlessBlocked(pauseNotice), unlessBlocked(phoneHold)],
  parts: [
    creditLine,
    forApprovers(approvalForm),
    forApprovers(termsForm),
    debtsPart,
    possibleDeposits,
    ordersPart,
    ({ cornerStoreId }, visit) => historyPart(visit, cornerStoreId),
    timelinePart,
    messagesPart,
    payoutsPart,
    unlessBlocked(forRole('operator', documentsPart)),
  ],
  side: [debtFacts, facts, unlessBlocked(pauseForm), unlessBlocked(revealForm)],
};

const store = recordPage('/tiendas/:cornerStoreId', { load: loadStore, ...contents });

/** The page of a blocked store with its data. The API checks reason and role, and audits the reason. */
const blockedStore = recordPage('/tiendas/:cornerStoreId/bloqueada', {
  load: (id, visit) => {
    const reason = BLOCKED_READ_REASONS.find((one) => one === fieldOf(visit, 'reason'));
    return loadStore(id, visit, reason);
  },
  ...contents,
});

export const storeRoutes: Route[] = [
  store,
  act(store.path, changeTerms, store.page),
  change(store, 'aprobar', 'aprobada', 'approveCornerStore'),
  change(store, 'liberar-telefono', 'liberado', 'clearPhoneHold'),
  change(store, 'pausar', 'pausada', 'pauseCornerStore'),
  change(store, 'reanudar', 'guardado', 'resumeCornerStore'),
  act(blockedStore.path, blockedStore.page, store.page),
  act('/tiendas/:cornerStoreId/telefono', revealPhone, store.page),
  change(store, 'pagos', 'guardado', 'payOut'),
  change(store, 'pagos/:payoutId/devuelto', 'guardado', 'recordReturnedPayout'),
];

async function loadStore(
  id: string,
  { viewer }: Visit,
  reason?: BlockedReadReason,
): Promise<StoreOverview> {
  const { cornerStore, ...more } = await viewer.ops.cornerStores.get(id, { reason });
  return { ...cornerStore, ...more };
}

/** Leaves a part out where the store is blocked or erased: the API would refuse its form. */
function unlessBlocked(part: Part<StoreOverview>): Part<StoreOverview> {
  return (store, visit) => store.blockedAt === null && part(store, visit);
}

/** Shows a part to approvers only, and leaves it out as above. */
function forApprovers(part: Part<StoreOverview>): Part<StoreOverview> {
  return unlessBlocked(forRole('approver', part));
}

function ownerAndPhone(store: Store): string {
  const since = dayOf(dayAt(store.createdAt));
  return [
    ...(store.cornerStoreName === null ? [] : [ownerOf(store)]),
    phoneOf(store.phoneNumber),
    say(`cliente desde el ${since}`, `since ${since}`),
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

/** That the owner's data are blocked, and how an approver reads them; or that they are erased. */
function blockedNotice({ blockedAt, erasedAt, cornerStoreId }: Store, visit: Visit): Html {
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
    mayDo(visit.viewer, 'approver') &&
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
  return sumCard(title, [
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
  ]);
}

function facts(store: StoreOverview): Html {
  const { wholesalers, debts, approvalReason, rejectionReason, information } = store;
  const customers = store.customers.map(({ wholesalerId, externalId }) => {
    const known = wholesalers.find((one) => one.wholesalerId === wholesalerId);
    return html`<li>
      ${link(`/mayoristas/${wholesalerId}`, known?.name ?? say('un mayorista', 'a wholesaler'))}
      <span class="quiet">${say('clave', 'id')} ${externalId}</span>
    </li>`;
  });
  const reference = debts?.numeroReferencia ?? null;
  return factCard(say('Datos', 'Facts'), [
    [say('Referencia de pago', 'Payment reference'), reference, 'reference'],
    [say('Tasa', 'Rate'), store.interestRate, 'percent'],
    [
      say('Cliente de', 'Customer of'),
      html`<ul class="plain">
        ${customers}
      </ul>`,
    ],
    information !== null && [say('Dirección', 'Address'), textOf(information.cornerStoreAddress)],
    [say('Alta', 'Created'), timeOf(store.createdAt)],
    [say('Motivo de la aprobación', 'Reason of the approval'), approvalReason],
    [say('Motivo del rechazo', 'Reason of the rejection'), rejectionReason],
    [
      say('Sus datos', 'Their data'),
      link(
        `/privacidad?status=todas&userId=${store.userId}&tienda=${store.cornerStoreId}#registrar`,
        say('Ver o registrar solicitudes', 'See or record requests'),
      ),
    ],
    [say('Id de la tienda', 'Id of the store'), store.cornerStoreId, 'id'],
  ]);
}

/** The newest codes of a store's account. Messages about orders are in its timeline. */
function messagesPart({ userId }: Store, visit: Visit): Promise<Html> {
  return part(visit, {
    of: 'searchMessages',
    asked: { userId },
    title: say('Mensajes de la cuenta', 'Messages of the account'),
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [...messageColumns(), [say('Creado', 'Created'), 'createdAt', 'when']],
  });
}

/** The newest orders of a store. */
function ordersPart({ cornerStoreId }: Store, visit: Visit): Promise<Html> {
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
function debtsPart({ cornerStoreId }: Store, visit: Visit): Promise<Html> {
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
function approvalForm({ status, cornerStoreId }: Store, visit: Visit): Html {
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
