import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { AnswerOf } from '@fiado/ops-client/operations';
import { pendingNotice } from '../approvals/pending-change';
import { choiceFilter, daysFilter, listFilters, textFilter, type Filter } from '../frame/filters';
import { foldedForm } from '../frame/form';
import {
  amountIn,
  copyable,
  inFours,
  neededAmountIn,
  pesosOf,
  textOf,
  timeOf,
  when,
} from '../frame/formats';
import { card, type Columns, factList, listPage, tablePart } from '../frame/lists';
import { act, change, show, type Route } from '../frame/serve';
import { stateBadge } from '../frame/states';
import { storeLink, storeNames, type StoreNames } from '../frame/store-names';
import { fieldOf, idOf, mayDo, queryOf, type Page, type Visit } from '../frame/visit';
import { wordFor, type Say } from '../frame/words';
import { invoiceColumn } from '../orders/collection';
import { findStore, showAssignment } from './assign';
import { candidates } from './candidates';
import { reversalRequest } from './refuse-reversal';

const deposit = show('/depositos/:depositId', showDeposit);

export const depositRoutes: Route[] = [
  show('/depositos', showDeposits),
  deposit,
  show('/depositos/:depositId/asignar', showAssignment),
  act('/depositos/:depositId/tienda', findStore, showDeposit),
  change(deposit, 'asignar', 'asignado', ({ ops, ids, visit }) =>
    ops.deposits.assign(ids.depositId, { cornerStoreId: fieldOf(visit, 'cornerStoreId') }),
  ),
  change(deposit, 'retirar', 'guardado', ({ ops, ids, reason }) =>
    ops.deposits.unassign(ids.depositId, { reason }),
  ),
  change(deposit, 'revertir', 'guardado', ({ ops, ids, reason }) =>
    ops.deposits.reverse(ids.depositId, { reason }),
  ),
  change(deposit, 'no-revertir', 'guardado', ({ ops, ids, reason }) =>
    ops.deposits.refuseReversal(ids.depositId, { reason }),
  ),
];

const STATES = [
  'unmatched',
  'received',
  'applied',
  'reversed',
  'conflicting',
  'reversal-requested',
  'todos',
] as const;

/** Deposits that belong to no debt yet, or those of another state. */
async function showDeposits(visit: Visit): Promise<Page> {
  const { say } = visit;
  const providers = await providerChoices(visit);
  const days = daysFilter(visit);
  const isUnmatched = ['', 'unmatched'].includes(queryOf(visit, 'status'));
  const { asked, chips } = listFilters(visit, '/depositos', {
    states: STATES,
    kind: 'deposit',
    all: say('Todos', 'All'),
    filters: [
      choiceFilter(visit, 'proveedor', say('Proveedor', 'Provider'), providers),
      days,
      // What somebody looks for who says that they paid.
      ...(isUnmatched ? paidFilters(visit) : []),
    ],
  });
  const paymentProvider = queryOf(visit, 'proveedor');
  const amount = isUnmatched ? queryOf(visit, 'monto') : '';
  const reference = isUnmatched ? queryOf(visit, 'referencia') : '';
  return listPage(visit, {
    title: say('Depósitos', 'Deposits'),
    lead: say('Lo que reportan los proveedores de pago.', 'What payment providers report.'),
    list: (page) =>
      visit.viewer.ops.deposits.list({
        ...asked,
        ...(paymentProvider !== '' && { paymentProvider }),
        ...(amount !== '' && { amount: String(amountIn(amount)) }),
        ...(reference !== '' && { reference }),
        ...days.asked,
        ...page,
      }),
    rowsOf: ({ deposits }) => deposits,
    before: chips,
    empty: say('Ningún depósito así.', 'No such deposit.'),
    columns: async ({ deposits }) => {
      const names = await storeNames(visit, deposits);
      return depositColumns(names, say);
    },
  });
}

function paidFilters(visit: Visit): Filter[] {
  const { say } = visit;
  const amount = { name: 'monto', label: say('Monto', 'Amount'), inputmode: 'decimal' } as const;
  const reference = { name: 'referencia', label: say('Referencia', 'Reference') };
  return [
    textFilter(visit, amount, (typed) => pesosOf(neededAmountIn(typed))),
    textFilter(visit, reference, inFours),
  ];
}

/** The payment providers, for a filter. */
async function providerChoices({ viewer }: Visit): Promise<Array<readonly [string, string]>> {
  const all: Array<readonly [string, string]> = [];
  for await (const { name } of viewer.ops.paymentProviders.list({ limit: 100 })) {
    all.push([name, name]);
    if (all.length === 100) break;
  }
  return all;
}

function depositColumns(names: StoreNames, say: Say): Columns<Listed> {
  return [
    [
      say('Depósito', 'Deposit'),
      (deposit) =>
        html`<a href="/depositos/${deposit.depositId}"
            >${inFours(deposit.idFactura || deposit.numeroReferencia)}</a
          >
          <small>${noteOf(deposit, say)}</small>`,
      'name',
    ],
    [say('Recibido', 'Received'), ({ receivedAt }) => when(receivedAt), 'when'],
    [
      say('Tienda', 'Store'),
      ({ cornerStoreId: id }) =>
        id === null
          ? html`<span class="quiet">${say('Sin tienda', 'No store')}</span>`
          : storeLink(names, id, say('Una tienda', 'A store')),
    ],
    [say('Proveedor', 'Provider'), ({ paymentProvider }) => paymentProvider],
    [say('Estado', 'State'), ({ status }) => stateBadge('deposit', status, say), 'state'],
    [say('Monto', 'Amount'), ({ valor }) => html`<strong>${pesosOf(valor)}</strong>`, 'money'],
  ];
}

type Listed = AnswerOf<'listDeposits'>['deposits'][number];

/** What a deposit waits for, or what speaks against it. */
function noteOf(
  { pendingChange, reversalRequest: asked, conflicts, reason, ...deposit }: Listed,
  say: Say,
): string {
  if (pendingChange != null) return say('espera aprobación', 'waits for approval');
  if (asked?.status === 'open') return say('piden revertirlo', 'a reversal is asked for');
  if (conflicts.length > 0) {
    return say('llegó otra vez con otros datos', 'reported again with other facts');
  }
  if (reason !== null) return unmatchedName(reason, say);
  if (deposit.hasUnlikelyTime)
    return say('pagado hace más de 90 días', 'paid more than 90 days before');
  return deposit.possibleDuplicateOf === null
    ? ''
    : say('mismo día, monto y referencia que otro', 'same day, amount and reference as another');
}

function unmatchedName(reason: string, say: Say): string {
  return wordFor(reason, {
    unknown: say('referencia desconocida', 'unknown reference'),
    ambiguous: say('referencia de varias tiendas', 'reference of several stores'),
    'above-ceiling': say('mayor de lo usual', 'larger than usual'),
    'possible-duplicate': say('quizá ya se reportó', 'perhaps reported before'),
    unassigned: say('quitado a una tienda', 'taken away from a store'),
  });
}

type Deposit = AnswerOf<'showDeposit'>;

/** One deposit: what it paid, who decided on it, and the debts that it may be meant for. */
async function showDeposit(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const deposit = await viewer.ops.deposits.show(idOf(visit, 'depositId'));
  const waits = deposit.pendingChange != null;
  const approves = mayDo(viewer, 'approver') && !waits;
  const unassigns = mayDo(viewer, 'operator') && !waits && deposit.status === 'applied';
  const reverses = approves && deposit.status !== 'reversed';
  const names = await storeNames(visit, [deposit, ...deposit.candidates, ...deposit.decisions]);
  const { cornerStoreId } = deposit;
  return {
    path: ['/depositos', say('Depósitos', 'Deposits')],
    title: say(`Depósito de ${pesosOf(deposit.valor)}`, `Deposit of ${pesosOf(deposit.valor)}`),
    badge: stateBadge('deposit', deposit.status, say),
    lead: html`${
      cornerStoreId === null
        ? say('Sin tienda', 'No store')
        : storeLink(names, cornerStoreId, say('Una tienda', 'A store'))
    }
    · ${deposit.paymentProvider} · ${timeOf(deposit.paidAt)}`,
    content: html`${await pendingNotice(visit, deposit.pendingChange)}
      <div class="record">
        <div>
          ${deposit.status === 'unmatched' ? candidates(visit, deposit, names) : allocations(deposit, say)}
          ${decisions(visit, deposit, names)} ${unassigns ? unassignForm(visit, deposit) : NOTHING}
          ${reverses ? reverseForm(visit, deposit) : NOTHING} ${reversalRequest(visit, deposit)}
        </div>
        <div>${facts(deposit, say)}</div>
      </div>`,
  };
}

function facts(deposit: Deposit, say: Say): Html {
  const { idFactura, numeroReferencia, reason, possibleDuplicateOf, surplus } = deposit;
  return card(
    say('Datos', 'Facts'),
    factList([
      idFactura !== '' && [
        say('Factura', 'Invoice'),
        html`<span data-copy="${idFactura}">${inFours(idFactura)}</span>`,
      ],
      numeroReferencia !== '' && [
        say('Referencia', 'Reference'),
        html`<span data-copy="${numeroReferencia}">${inFours(numeroReferencia)}</span>`,
      ],
      [say('Clave de pago', 'Payment id'), textOf(deposit.claveDePago)],
      [say('Pagado', 'Paid at'), timeOf(deposit.paidAt)],
      [say('Recibido', 'Received'), timeOf(deposit.receivedAt)],
      reason !== null && [
        say('Por qué no se asignó', 'Why it is unmatched'),
        unmatchedName(reason, say),
      ],
      possibleDuplicateOf !== null && [
        say('Quizá es el mismo pago que', 'Perhaps the same payment as'),
        html`<a href="/depositos/${possibleDuplicateOf}"
          >${say('este depósito', 'this deposit')}</a
        >`,
      ],
      surplus !== 0 && [say('Quedó a favor', 'Surplus'), pesosOf(surplus)],
      [say('Id del depósito', 'Id of the deposit'), copyable(deposit.depositId)],
    ]),
  );
}

function decisionName(decision: string, say: Say): string {
  return wordFor(decision, {
    assigned: say('Asignado', 'Assigned'),
    unassigned: say('Quitado a su tienda', 'Unassigned'),
    reversed: say('Revertido', 'Reversed'),
  });
}

function allocations({ allocations: paid }: Deposit, say: Say): Html {
  return tablePart<Deposit['allocations'][number]>({
    title: say('Qué pagó', 'What it paid'),
    columns: [
      invoiceColumn(say),
      [say('Pagado', 'Paid'), ({ createdAt }) => when(createdAt), 'when'],
      [say('Monto', 'Amount'), ({ amount }) => pesosOf(amount), 'money'],
      [say('Revertido', 'Reversed'), ({ amountReversed }) => pesosOf(amountReversed), 'figure'],
    ],
    rows: paid,
    empty: say('Todavía nada.', 'Nothing yet.'),
  });
}

function decisions({ say, viewer }: Visit, { decisions: made }: Deposit, names: StoreNames): Html {
  if (made.length === 0) return NOTHING;
  return tablePart<Deposit['decisions'][number]>({
    title: say('Decisiones', 'Decisions'),
    columns: [
      [say('Qué', 'What'), ({ decision }) => decisionName(decision, say), 'name'],
      [say('Cuándo', 'When'), ({ decidedAt }) => when(decidedAt), 'when'],
      [
        say('Quién', 'Who'),
        ({ decidedBy, decidedByName }) =>
          decidedBy === viewer.staffId
            ? say('tú', 'you')
            : (decidedByName ?? say('otra persona', 'somebody else')),
      ],
      [
        say('Tienda', 'Store'),
        ({ cornerStoreId }) =>
          cornerStoreId === null ? '—' : storeLink(names, cornerStoreId, say('ver', 'see')),
      ],
      [say('Motivo', 'Reason'), ({ reason }) => textOf(reason)],
    ],
    rows: made,
    empty: '',
  });
}

/** As the API, which has the last word. */
const UNDO_MS = 10 * 60_000;

/** Who asks writes the reason, and a second person confirms; who has just assigned it takes it back alone. */
function unassignForm(visit: Visit, { depositId, valor, decisions: made }: Deposit): Html {
  const { say, viewer } = visit;
  const last = made.at(-1);
  const undoes =
    last?.decision === 'assigned' &&
    last.decidedBy === viewer.staffId &&
    Date.now() - Date.parse(last.decidedAt) < UNDO_MS;
  const action = `/depositos/${depositId}/retirar`;
  if (undoes) {
    return foldedForm(visit, {
      summary: say('Deshacer la asignación', 'Undo the assignment'),
      hint: say(
        'Durante diez minutos, y mientras no se mueva otro dinero de la tienda, la deshaces sin otra persona. La tienda recibe un SMS si ya se le avisó del pago.',
        'For ten minutes, and while no other money of the store moves, you undo it without another person. The store gets an SMS if it was told of the payment.',
      ),
      action,
      button: say('Deshacer la asignación', 'Undo the assignment'),
      kind: 'bad',
      fields: [
        {
          name: 'reason',
          label: say('Motivo', 'Reason'),
          value: say('Me equivoqué de tienda', 'I took the wrong store'),
        },
      ],
    });
  }
  return foldedForm(visit, {
    summary: say('Quitar el depósito a esta tienda', 'Take the deposit away from this store'),
    hint: say(
      'Para un depósito que se aplicó a la tienda equivocada: sus adeudos quedan abiertos otra vez, la tienda recibe un SMS, y el depósito espera que lo asignes a otra.',
      'For a deposit that was applied to the wrong store: its debts are open again, the store gets an SMS, and the deposit waits for you to assign it to another.',
    ),
    action,
    button: say(`Quitar ${pesosOf(valor)} a esta tienda`, `Take ${pesosOf(valor)} away`),
    kind: 'bad',
    fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
  });
}

function reverseForm(visit: Visit, { depositId, valor }: Deposit): Html {
  const { say } = visit;
  return foldedForm(visit, {
    summary: say('Revertir el depósito', 'Reverse the deposit'),
    hint: say(
      'Para un pago que se devolvió o no existió: los adeudos que pagó quedan abiertos otra vez.',
      'For a payment that was returned or never was: the debts that it paid are open again.',
    ),
    action: `/depositos/${depositId}/revertir`,
    button: say(`Revertir ${pesosOf(valor)}`, `Reverse ${pesosOf(valor)}`),
    kind: 'bad',
    fields: [{ name: 'reason', label: say('Motivo', 'Reason') }],
  });
}
